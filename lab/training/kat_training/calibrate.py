"""
Turns widths into calibrated quantiles, in three steps. First, offsets for markets with trading hours (their own fitting windows).
Second, a correction of width and tails by features of the lookback (fitting windows, CRPS). It has few weights, so windows that the
bodies have seen can be used again. Third, the tables of quantiles (validation windows; for longer bars the fitting windows too).
All of it becomes part of the exported graph.
"""
import math
from statistics import NormalDist

import numpy as np
import torch
from torch import nn

from .fit import RATIO_LIMIT, answers_of, bin_means, walked
from .networks import BIN_COUNT, BIN_OF_MINUTE, HEADS
from .scores import UPPER_LEVELS
from .windows import HORIZON_BARS

CLASSES = ('crypto', 'equity', 'metal')
SESSION_NAMES = ('day_sin_1', 'day_cos_1', 'day_sin_2', 'day_cos_2', 'since_open_15', 'since_open_60')
# Differences of statics: length of wicks beside bodies, fatness of the lookback's tails, its volatility; and
# the minute of the hour at which it ends.
LOOKS = (
    ('ln_parkinson_240', 'ln_rms_return_240'),
    ('ln_rms_return_240', 'ln_mean_abs_return_240'),
    ('ln_scale', None),
    ('hour_sin_1', None),
    ('hour_cos_1', None),
    ('hour_sin_2', None),
    ('hour_cos_2', None),
)
LOOK_LIMIT = 3.0
# Hat functions over ln h: the correction changes its slope at these horizons only.
KNOT_BARS = (1, 2, 4, 9, 21, 50)
TAIL_LIMIT = 0.4
SESSION_RIDGE = 0.02
SMOOTH_BARS = 2
# Three quarters of the minutes of both spans are in the fitting span; windows close to each other add nothing.
FIT_SHARE = 0.75
FIT_TABLE_STEP = 7
LEAST_QUANTILE = 1e-3
CORRECTION = {'seed': 7, 'epochs': 2, 'batch': 1024, 'learning_rate': 1e-2, 'l2': 1e-3}


class Calibrated(nn.Module):
    """The exported outputs: (log_variance [n, 50], upper_quantiles [n, 50, 12], log_rv50 [n], log_range50 [n]), all over s."""

    def __init__(self, body, static_names):
        super().__init__()
        self.body = body
        place = {name: i for i, name in enumerate(static_names)}
        looks = torch.zeros(len(static_names), len(LOOKS))
        for column, (plus, minus) in enumerate(LOOKS):
            looks[place[plus], column] = 1.0
            if minus is not None:
                looks[place[minus], column] = -1.0
        knots = np.log(KNOT_BARS)
        hats = np.stack([np.interp(np.log(np.arange(1, 51)), knots, np.eye(len(knots))[i]) for i in range(len(knots))])
        tail = np.log([NormalDist().inv_cdf(level) for level in UPPER_LEVELS])
        self.register_buffer('looks', looks)
        self.register_buffer('look_mean', torch.zeros(len(LOOKS)))
        self.register_buffer('look_sd', torch.ones(len(LOOKS)))
        self.register_buffer('hats', torch.tensor(hats, dtype=torch.float32))
        self.register_buffer('tail', torch.tensor(tail - tail.mean(), dtype=torch.float32))
        self.register_buffer('tables', torch.ones(len(CLASSES), HORIZON_BARS * len(UPPER_LEVELS)))
        self.register_buffer('class_places', torch.tensor([place[f'is_{name}'] for name in CLASSES]))
        self.register_buffer('session_places', torch.tensor([place[name] for name in SESSION_NAMES]))
        self.register_buffer('session', torch.zeros(len(CLASSES) * (1 + len(SESSION_NAMES)), HEADS))
        self.register_buffer('bin_of_minute', torch.tensor(BIN_OF_MINUTE))
        self.width = nn.Linear(len(LOOKS), len(KNOT_BARS))
        self.fatness = nn.Linear(len(LOOKS), len(KNOT_BARS))
        for layer in (self.width, self.fatness):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def looks_of(self, statics):
        return ((statics @ self.looks - self.look_mean) / self.look_sd).clamp(-LOOK_LIMIT, LOOK_LIMIT)

    def session_inputs(self, statics):
        """[n, 3 x 7]: one and the session features, in the columns of the window's class."""
        classes = statics.index_select(1, self.class_places)
        session = torch.cat([classes.sum(1, keepdim=True), statics.index_select(1, self.session_places)], 1)
        return (classes.unsqueeze(2) * session.unsqueeze(1)).flatten(1)

    def stretch(self, statics):
        """Factors on the table, [n, 50, 12]; 1 for markets on which they were not fitted."""
        looks = self.looks_of(statics)
        is_crypto = statics.index_select(1, self.class_places[:1])
        width = (self.width(looks) @ self.hats) * is_crypto
        fatness = (self.fatness(looks) @ self.hats).clamp(-TAIL_LIMIT, TAIL_LIMIT) * is_crypto
        return torch.exp(width.unsqueeze(2) + fatness.unsqueeze(2) * self.tail)

    def forward(self, statics, minutes, ahead):
        log_variance, log_rv, log_range = self.body(statics, minutes, ahead)
        offset = self.session_inputs(statics) @ self.session
        log_variance = log_variance + offset[:, :BIN_COUNT].index_select(1, self.bin_of_minute)
        sigma = torch.exp(log_variance).cumsum(1).sqrt()
        classes = statics.index_select(1, self.class_places)
        table = (classes @ self.tables).view(-1, HORIZON_BARS, len(UPPER_LEVELS))
        upper = rising(sigma.unsqueeze(2) * table * self.stretch(statics))
        return log_variance, upper, log_rv + offset[:, BIN_COUNT], log_range + offset[:, BIN_COUNT + 1]


def rising(quantiles):
    """Adds up the rises along the last axis; a fall counts as no change."""
    steps = torch.relu(quantiles[:, :, 1:] - quantiles[:, :, :-1])
    return torch.cat([quantiles[:, :, :1], steps], 2).cumsum(2)


def weighted_quantiles(values, weights, probabilities):
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) - 0.5 * weights[order]
    return np.interp(probabilities, reached / weights.sum(), values[order])


def quantile_table(moves, weights=None):
    """[n, 50] standardised absolute moves to [50, 12], smoothed along the horizon; every row counts the same, or as `weights` say."""
    probabilities = 2 * UPPER_LEVELS - 1
    raw = np.empty((HORIZON_BARS, len(UPPER_LEVELS)))
    for i in range(HORIZON_BARS):
        raw[i] = np.quantile(moves[:, i], probabilities) if weights is None else weighted_quantiles(moves[:, i], weights, probabilities)
    near = lambda i: raw[max(0, i - SMOOTH_BARS) : i + SMOOTH_BARS + 1] if i > 0 else raw[:1]
    table = np.array([near(i).mean(0) for i in range(HORIZON_BARS)])
    # If many minutes end at their opening price, the innermost quantiles are 0: a tiny distance separates them.
    return np.maximum(table, LEAST_QUANTILE * UPPER_LEVELS)


def fit_session(network, windows, answers):
    """Fits the offsets of one class on its own fitting windows: reweighted least squares towards QLIKE, shrunk towards zero."""
    log_variance, log_rv, log_range = answers
    inputs = network.session_inputs(windows.statics).double().numpy()
    bins = bin_means(windows.blended.clamp_max(RATIO_LIMIT)).double().numpy()
    first = [BIN_OF_MINUTE.index(b) for b in range(BIN_COUNT)]
    base = np.log(bin_means(torch.from_numpy(np.exp(log_variance))).numpy())
    assert base.shape[1] == len(first)
    gram = inputs.T @ inputs + SESSION_RIDGE * len(windows) * np.eye(inputs.shape[1])
    solve = lambda target: np.linalg.solve(gram, inputs.T @ target)
    offsets = np.zeros((inputs.shape[1], HEADS))
    for _ in range(8):
        now = inputs @ offsets[:, :BIN_COUNT]
        offsets[:, :BIN_COUNT] = solve(now + np.minimum(10, bins / np.exp(base + now)) - 1)
    offsets[:, BIN_COUNT] = solve((np.log(windows.rv50.clamp_min(0.1).double().numpy()) - log_rv)[:, None])[:, 0]
    offsets[:, BIN_COUNT + 1] = solve((np.log(windows.range50.clamp_min(0.1).double().numpy()) - log_range)[:, None])[:, 0]
    return offsets


def fit_correction(network, windows, sigma, log):
    """Minimizes CRPS over the fitting windows with a separate table; horizon 1 counts more, because it is reported separately."""
    network.look_mean.copy_((windows.statics @ network.looks).mean(0))
    network.look_sd.copy_((windows.statics @ network.looks).std(0))
    standard = np.abs(windows.moves.double().numpy() / sigma)
    table = torch.tensor(quantile_table(standard), dtype=torch.float32)
    sigma = torch.tensor(sigma, dtype=torch.float32)
    levels = torch.tensor(UPPER_LEVELS, dtype=torch.float32)
    per_horizon = 1 / torch.arange(1, HORIZON_BARS + 1).sqrt()
    per_horizon[0] *= 6
    per_horizon[1:5] *= 2
    torch.manual_seed(CORRECTION['seed'])
    if len(windows) < CORRECTION['batch']:
        raise ValueError(f"{len(windows)} windows are fewer than one batch of {CORRECTION['batch']}")
    parameters = [*network.width.parameters(), *network.fatness.parameters()]
    optimiser = torch.optim.Adam(parameters, lr=CORRECTION['learning_rate'])
    batch = CORRECTION['batch']
    steps = CORRECTION['epochs'] * (len(windows) // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.02, 1 - step / steps))
    for step in range(steps):
        if step % (len(windows) // batch) == 0:
            order = torch.randperm(len(windows))
        at = (step % (len(windows) // batch)) * batch
        rows = order[at : at + batch]
        upper = sigma[rows].unsqueeze(2) * table * network.stretch(windows.statics[rows])
        move = windows.moves[rows].unsqueeze(2)
        above, below = move - upper, move + upper
        pinball = torch.maximum(levels * above, (levels - 1) * above) + torch.maximum((1 - levels) * below, -levels * below)
        loss = (pinball.sum(2) * per_horizon).mean()
        loss = loss + CORRECTION['l2'] * sum((p**2).sum() for p in (network.width.weight, network.fatness.weight))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    log(f'correction of width and tails: {steps} steps')


@torch.no_grad()
def set_tables(network, classes, log, more=None):
    """
    Tables of crypto by horizon and level. Other classes use crypto's, times one factor for each level and one for each knot of the horizon.
    `more`: windows of crypto that have a weight of FIT_SHARE in its table.
    """
    tables = {}
    for name, windows in classes.items():
        moves, stretched = standard_parts(network, windows)
        weights = None
        if name == 'crypto' and more is not None:
            others = standard_parts(network, more)
            weights = np.concatenate(
                [np.full(len(moves), (1 - FIT_SHARE) / len(moves)), np.full(len(others[0]), FIT_SHARE / len(others[0]))]
            )
            moves, stretched = (np.concatenate(pair) for pair in zip((moves, stretched), others))
        columns = [quantile_table(moves / stretched[:, :, k], weights)[:, k] for k in range(len(UPPER_LEVELS))]
        tables[name] = np.column_stack(columns)
        log(f'table of {name}: {len(moves)} windows')
    for name in CLASSES:
        table = tables['crypto']
        if name != 'crypto' and name in tables:
            ratio = np.log(tables[name] / table)
            hats = network.hats.double().numpy().T
            # Medians: near the middle ticks make quantiles 0, and a ratio says nothing.
            by_level = np.median(ratio, 0)
            by_horizon = hats @ np.linalg.lstsq(hats, np.median(ratio - by_level, 1), rcond=None)[0]
            table = table * np.exp(by_level + by_horizon[:, None])
        network.tables[CLASSES.index(name)] = torch.tensor(np.maximum.accumulate(table, 1).flatten(), dtype=torch.float32)


def every_nth(windows, step):
    mask = np.zeros(len(windows), dtype=bool)
    mask[::step] = True
    return windows.rows(mask)


def standard_parts(network, windows):
    """Absolute moves [n, 50], and what a table multiplies [n, 50, 12]."""
    log_variance, _, _, _ = answers_of(network, windows)
    stretched = walked(log_variance)[..., None] * network.stretch(windows.statics).double().numpy()
    return np.abs(windows.moves.double().numpy()), stretched


def calibrate(body, fit, validate, log):
    """The exported network: `body` is fitted on crypto; fit and validate hold every class."""
    network = Calibrated(body, fit.static_names)
    with torch.no_grad():
        for name in CLASSES[1:]:
            windows = fit.rows(fit.of_class(name))
            if len(windows) > 0:
                network.session += torch.tensor(fit_session(network, windows, answers_of(body, windows)), dtype=torch.float32)
    crypto = fit.rows(fit.of_class('crypto'))
    fit_correction(network, crypto, walked(answers_of(body, crypto)[0]), log)
    # One minute has months of validation to calibrate on; longer bars have as few as 37 days for 12 hours ahead.
    more = None if fit.meta['timeframe'] == '1min' else every_nth(crypto, FIT_TABLE_STEP)
    of_validation = {name: validate.rows(validate.of_class(name)) for name in CLASSES}
    set_tables(network, {name: windows for name, windows in of_validation.items() if len(windows) > 0}, log, more)
    assert all(math.isfinite(p.abs().max().item()) for p in network.state_dict().values() if p.is_floating_point())
    return network.eval()
