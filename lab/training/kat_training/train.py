"""
`python -m kat_training.train <bobcat|panther|lion> --windows CACHE --out RUN [--seed N] [--member N] [--threads N] [--without COIN] [--quick]`: from exported windows to
RUN/model.onnx, RUN/training.json, RUN/loss.svg and RUN/parity/. A stopped run resumes at its next start.
"""
import argparse
import copy
import hashlib
import json
import os
import platform
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from .calibrate import calibrate
from .export import export_onnx, write_parity_case
from .fit import answers_of, fit_member, read_saved, save_whole
from .networks import Ensemble
from .progress import Progress, write_loss_plot
from .recipes import MODELS, RECIPES
from .scores import SCORED_HORIZONS, columns, crps
from .windows import read_windows

QUICK_WINDOWS = 20_000


def main():
    options = parsed()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    if device == 'cpu':
        torch.set_num_threads(options.threads or cores())
    fit, validate = (read_windows(Path(options.windows) / part) for part in ('fit', 'validate'))
    if options.without is not None:
        fit, validate = (without_coin(w, options.without) for w in (fit, validate))
    recipe = RECIPES[fit.meta['timeframe']][options.model]
    print(f'{options.model}: {len(fit)} windows to fit, {len(validate)} to validate, on {device}', flush=True)
    crypto_fit, crypto_validate = (w.rows(w.of_class('crypto')) for w in (fit, validate))
    if options.quick:
        crypto_fit = thinned(crypto_fit, QUICK_WINDOWS)
    fitted = fitted_members(recipe, crypto_fit.to(device), crypto_validate.to(device), options, out)
    if options.member is not None:
        return
    members = [saved['member'].eval() for saved in fitted.values()]
    curves = {name: saved['curve'] for name, saved in fitted.items()}
    network = calibrate(Ensemble(members), fit, validate, lambda text: print(text, flush=True))
    needs_minutes = any(member.body.needs_minutes for member in members)
    names = export_onnx(network, needs_minutes, validate, out / 'model.onnx')
    write_parity_case(network, validate, names, out / 'parity')
    write_loss_plot(out / 'loss.svg', curves)
    record = {
        'inputNames': names,
        'parameters': sum(p.numel() for p in network.parameters()) + network.tables.numel() + network.session.numel(),
        'windows': counts_of({'fit': fit, 'validate': validate}, len(crypto_fit)),
        **{key: fit.meta[key] for key in ('timeframe', 'staticNames', 'minuteChannels', 'aheadChannels', 'data')},
        'members': recipe['summary'],
        'seed': options.seed,
        **({} if options.without is None else {'without': options.without}),
        'quick': options.quick,
        'python': platform.python_version(),
        # Each member's time and position, saved in its file, so that a run that was stopped counts as a whole.
        'fitting': {name: {key: saved[key] for key in ('seconds', 'device', 'torch')} for name, saved in fitted.items()},
        'calibrationSeconds': round(time.monotonic() - started),
        'curves': curves,
        'validationCrpsOverS': validation_crps(network, crypto_validate),
    }
    (out / 'training.json').write_text(json.dumps(record, indent=1) + '\n')
    print(f"{options.model}: {record['parameters']} parameters, {record['calibrationSeconds']} s", flush=True)


def without_coin(windows, coin):
    """The same windows without the coin's; their `meta` says so, so that members fitted on all of them aren't reused."""
    names = [s['name'] for s in windows.symbols]
    left_out = [i for i, name in enumerate(names) if coin_of(name) == coin]
    if not left_out:
        raise SystemExit(f"--without {coin}: the windows hold {', '.join(sorted({coin_of(name) for name in names}))}")
    return replace(windows.rows(~np.isin(windows.symbol, left_out)), meta={**windows.meta, 'without': coin})


def coin_of(name):
    """BTC of BTCUSDT and BTCUSDT.P, XRP of aux-XRPUSDT.P."""
    return name.removeprefix('aux-').removesuffix('.P').removesuffix('USDT')


def cores():
    """The processors that this process may use, if the system reports them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()


def parsed():
    parser = argparse.ArgumentParser(description='Trains one of the networks on exported windows.')
    parser.add_argument('model', choices=MODELS)
    parser.add_argument('--windows', required=True, help='folder written by lab/training/export-windows.ts')
    parser.add_argument('--out', required=True, help='folder of the run')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, help='of the CPU; all by default')
    parser.add_argument('--member', type=int, help='fits this member alone and stops, so that several can be fitted side by side')
    parser.add_argument('--without', metavar='COIN', help='leaves every market of this coin out (BTC, SOL ...), to measure what it costs to forecast an unseen one')
    parser.add_argument('--quick', action='store_true', help='few windows, one pass: tries the road, not the model')
    return parser.parse_args()


def fitted_members(recipe, fit, validate, options, out):
    """Members one after the other, by name; a finished one is read back from its file if recipe, seed and data are the same."""
    fitted = {}
    for number, member in enumerate(recipe['members']):
        if options.member not in (None, number + 1):
            continue
        name = f"{number + 1}-{member['name']}"
        settings = {**member['settings'], 'seed': 100 * options.seed + number}
        if options.quick:
            settings['epochs'] = 1
        mark = fingerprint_of(settings, member['body'], fit, validate)
        saved = read_saved(out / f'{name}.pt', mark)
        if saved is None:
            checkpoint = out / f'{name}.checkpoint.pt'
            trained, curve, seconds = fit_member(member['body'], fit, validate, settings, Progress(name), checkpoint, mark)
            saved = {
                'fingerprint': mark,
                'member': copy.deepcopy(trained).cpu(),
                'curve': curve,
                'seconds': round(seconds),
                'device': device_name(fit.statics.device),
                'torch': torch.__version__,
            }
            save_whole(saved, out / f'{name}.pt')
        fitted[name] = saved
    return fitted


def fingerprint_of(settings, make_body, fit, validate):
    """Changes with the settings, the seed, the shape of the body, the inputs and the candles."""
    told = [settings, repr(make_body(len(fit.static_names))), fit.meta, validate.meta, len(fit)]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def device_name(device):
    return torch.cuda.get_device_name(device) if device.type == 'cuda' else f"{torch.get_num_threads()} CPU thread{'s' if torch.get_num_threads() > 1 else ''}"


def thinned(windows, count):
    mask = np.zeros(len(windows), dtype=bool)
    mask[np.linspace(0, len(windows) - 1, min(count, len(windows))).astype(np.int64)] = True
    return windows.rows(mask)


def counts_of(parts, crypto_fit):
    counts = {}
    for part, windows in parts.items():
        counts[part] = {name: int(windows.of_class(name).sum()) for name in ('crypto', 'equity', 'metal')}
    counts['fit']['crypto'] = crypto_fit
    return counts


def validation_crps(network, windows):
    """Mean CRPS over s of the calibrated network on the windows it was calibrated on: for comparing runs, not as a result."""
    upper = answers_of(network, windows)[1]
    means = columns(crps(windows.moves.double().numpy(), upper)).mean(0)
    return dict(zip([*(f'h{h}' for h in SCORED_HORIZONS), 'all'], (round(float(v), 6) for v in means)))


if __name__ == '__main__':
    main()
