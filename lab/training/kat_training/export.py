"""Exports ONNX with a dynamic batch, and a folder of inputs with torch's answers, with which the runtime is compared."""
import json
from pathlib import Path

import numpy as np
import torch

INPUT_NAMES = ('statics', 'minutes', 'ahead')
OUTPUT_NAMES = ('log_variance', 'upper_quantiles', 'log_rv50', 'log_range50')
OPSET = 17
PARITY_WINDOWS = 256


class WithoutMinutes(torch.nn.Module):
    """Wraps a network whose body reads no minutes, so that minutes are no input."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, statics, ahead):
        return self.network(statics, None, ahead)


def export_onnx(network, needs_minutes, windows, file):
    """Writes `file`; returns the names of its inputs. `windows` gives an example."""
    rows = slice(0, 2)
    named = {
        'statics': windows.statics[rows],
        'minutes': windows.minutes[rows].float(),
        'ahead': windows.ahead[rows],
    }
    names = [name for name in INPUT_NAMES if needs_minutes or name != 'minutes']
    exported = network if needs_minutes else WithoutMinutes(network)
    options = {'dynamo': False} if torch.__version__ >= '2.5' else {}
    torch.onnx.export(
        exported.eval(),
        tuple(named[name] for name in names),
        str(file),
        input_names=names,
        output_names=list(OUTPUT_NAMES),
        dynamic_axes={name: {0: 'n'} for name in (*names, *OUTPUT_NAMES)},
        opset_version=OPSET,
        do_constant_folding=True,
        **options,
    )
    return names


@torch.no_grad()
def write_parity_case(network, windows, names, folder):
    """Writes inputs and torch's answers for some windows of every symbol, for lab/training/python/parity.ts."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    picked = np.linspace(0, len(windows) - 1, min(PARITY_WINDOWS, len(windows))).astype(np.int64)
    rows = torch.from_numpy(picked)
    inputs = {
        'statics': windows.statics[rows],
        'minutes': windows.minutes[rows].float(),
        'ahead': windows.ahead[rows],
    }
    answers = network(inputs['statics'], inputs['minutes'], inputs['ahead'])
    for name in INPUT_NAMES:
        dtype = '<i4' if name == 'ahead' else '<f4'
        inputs[name].numpy().astype(dtype).tofile(folder / f'{name}.bin')
    for name, values in zip(OUTPUT_NAMES, answers):
        values.numpy().astype('<f4').tofile(folder / f'{name}.bin')
    (folder / 'meta.json').write_text(json.dumps({'windows': len(picked), 'inputNames': list(names)}))
