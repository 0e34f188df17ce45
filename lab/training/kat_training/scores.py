"""CRPS on the 25 levels, and its interval: a bootstrap of six-hour blocks. Forecasting facts, section 6."""
import numpy as np

UPPER_LEVELS = np.array([0.525, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.995])
SCORED_HORIZONS = (1, 5, 10, 25, 50)
BLOCK_S = 6 * 3600


def crps(moves, upper):
    """moves [n, 50], upper [n, 50, 12] (or anything that broadcasts), same unit; median 0. Returns [n, 50]."""
    total = 0.5 * np.abs(moves)
    for place, level in enumerate(UPPER_LEVELS):
        quantile = upper[..., place]
        above = moves - quantile
        below = moves + quantile
        total = total + np.maximum(level * above, (level - 1) * above)
        total = total + np.maximum((1 - level) * below, -level * below)
    return 2 * total / 25


def columns(values):
    """[n, 50] CRPS to [n, 6]: the five horizons, and all with each over the root of its horizon."""
    roots = np.sqrt(np.arange(1, values.shape[1] + 1))
    return np.column_stack([values[:, h - 1] for h in SCORED_HORIZONS] + [(values / roots).mean(1)])


def skill(t0, mine, theirs, draws=400, seed=1):
    """Per cent by which the sum of `mine` is lower than that of `theirs`, column by column: (estimate, low, high)."""
    blocks, place = np.unique(t0 // BLOCK_S, return_inverse=True)
    sums = np.zeros((2, len(blocks), mine.shape[1]))
    np.add.at(sums[0], place, mine)
    np.add.at(sums[1], place, theirs)
    picks = np.random.default_rng(seed).integers(0, len(blocks), (draws, len(blocks)))
    ratio = lambda s: 100 * (1 - s[0] / s[1])
    drawn = ratio(sums[:, picks].sum(2))
    return ratio(sums.sum(1)), np.quantile(drawn, 0.025, axis=0), np.quantile(drawn, 0.975, axis=0)


def in_words(name, estimates):
    cells = [f'{v:6.2f} [{low:5.2f}, {high:5.2f}]' for v, low, high in zip(*estimates)]
    return f'{name:34s}' + ' '.join(cells)
