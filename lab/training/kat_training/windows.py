"""Windows as lab/training/export-windows.ts wrote them: plain little-endian arrays and a meta.json a part."""
import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

HORIZON_BARS = 50


@dataclass
class Windows:
    """One part of the data; every array has one row a window."""

    statics: torch.Tensor  # [n, S] float32
    minutes: torch.Tensor  # [n, 450, 7] float16: kept small, widened batch by batch
    ahead: torch.Tensor  # [n, 50, 2] int64
    blended: torch.Tensor  # [n, 50] blended variance of each minute to come, over s squared
    moves: torch.Tensor  # [n, 50] ln(C[t+h] / C[t]) over s
    ranges: torch.Tensor  # [n, 50] ln(high / low) of each minute to come, over s
    rv50: torch.Tensor  # [n] over s
    range50: torch.Tensor  # [n] over s
    t0: np.ndarray  # [n] int64 seconds
    scale: np.ndarray  # [n] s
    symbol: np.ndarray  # [n] number in `symbols`
    symbols: list  # [{name, assetClass, windows}]
    static_names: list
    meta: dict  # meta.json as it was written

    def __len__(self):
        return len(self.t0)

    def of_class(self, asset_class):
        """Rows of one asset class, as a mask."""
        wanted = [i for i, s in enumerate(self.symbols) if s['assetClass'] == asset_class]
        return np.isin(self.symbol, wanted)

    def to(self, device):
        """The same arrays on a device."""
        return replace(self, **{name: getattr(self, name).to(device) for name in TENSORS})

    def rows(self, mask):
        """The same arrays, some rows of them."""
        picked = torch.from_numpy(np.flatnonzero(mask))
        arrays = {name: getattr(self, name)[picked] for name in TENSORS}
        plain = {name: getattr(self, name)[mask] for name in ('t0', 'scale', 'symbol')}
        return replace(self, **arrays, **plain)


TENSORS = ('statics', 'minutes', 'ahead', 'blended', 'moves', 'ranges', 'rv50', 'range50')


def read_windows(folder):
    """Reads and checks one part: lengths agree, everything is finite, time rises within a symbol."""
    folder = Path(folder)
    meta = json.loads((folder / 'meta.json').read_text())
    count = meta['windows']
    arrays = {}
    for spec in meta['arrays']:
        flat = np.fromfile(folder / f"{spec['name']}.bin", dtype=np.dtype(spec['type']).newbyteorder('<'))
        if flat.size != count * spec['length']:
            raise ValueError(f"{folder}/{spec['name']}.bin holds {flat.size} numbers, not {count} x {spec['length']}")
        arrays[spec['name']] = flat.reshape(count, spec['length'])
        if flat.dtype.kind == 'f' and not np.isfinite(arrays[spec['name']]).all():
            raise ValueError(f"{folder}/{spec['name']}.bin holds numbers that are not finite")
    facts = arrays['facts']
    symbol = facts[:, 4].astype(np.int64)
    t0 = facts[:, 0].astype(np.int64)
    if not ((np.diff(t0) > 0) | (np.diff(symbol) > 0)).all():
        raise ValueError(f'{folder}: the windows of a symbol do not rise in time')
    tensor = lambda name: torch.from_numpy(np.ascontiguousarray(arrays[name]))
    return Windows(
        statics=tensor('statics'),
        minutes=tensor('minutes').view(count, -1, len(meta['minuteChannels'])),
        ahead=torch.from_numpy(arrays['ahead'].astype(np.int64)).view(count, HORIZON_BARS, -1),
        blended=tensor('blended'),
        moves=tensor('moves'),
        ranges=tensor('ranges'),
        rv50=torch.from_numpy(facts[:, 2].astype(np.float32)),
        range50=torch.from_numpy(facts[:, 3].astype(np.float32)),
        t0=t0,
        scale=facts[:, 1].copy(),
        symbol=symbol,
        symbols=meta['symbols'],
        static_names=meta['staticNames'],
        meta=meta,
    )
