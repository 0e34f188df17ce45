"""Fits one member: QLIKE on the variance of each minute, absolute error on the two logarithms, averaged weights, early stop."""
import copy
import os
import time

import numpy as np
import torch

from .networks import BIN_COUNT, BIN_OF_MINUTE, HEADS, Member, Standardise
from .scores import columns, crps

# A minute that is sixty times more volatile than its neighbours is cut to that.
RATIO_LIMIT = 60.0
VARIANCE_FLOOR = 0.02
SKIP_RIDGE = 1e-3
# Neighbouring slots of the day have similar volatility.
SLOT_SMOOTHNESS = 2e-3
SLOT_SHRINKAGE = 2e-4
EMA_DECAY = 0.998
CHECKPOINT_S = 300
# Checkpoints are our files, so pickle is safe; torch 1.13 does not know the argument.
UNSAFE_LOAD = {'weights_only': False} if torch.__version__ >= '2' else {}


def bin_weights():
    """Each of the six bins counts the same."""
    counts = np.bincount(BIN_OF_MINUTE)
    return torch.tensor([1.0 / counts[b] for b in BIN_OF_MINUTE], dtype=torch.float32)


def bin_means(blended):
    """[n, 50] to [n, 6]."""
    bins = torch.tensor(BIN_OF_MINUTE, device=blended.device)
    return torch.stack([blended[:, bins == b].mean(1) for b in range(BIN_COUNT)], 1)


def linear_skip(windows, reads, standardise):
    """Ordinary least squares of the eight targets' logarithms on the standardised statics: step 0 is a log-HAR model."""
    with torch.no_grad():
        x = torch.cat([standardise(windows.statics[:, reads]), torch.ones_like(windows.rv50).unsqueeze(1)], 1).double()
        y = torch.cat(
            [
                bin_means(windows.blended.clamp_max(RATIO_LIMIT)).clamp_min(VARIANCE_FLOOR).log(),
                windows.rv50.clamp_min(0.1).log().unsqueeze(1),
                windows.range50.clamp_min(0.1).log().unsqueeze(1),
            ],
            1,
        ).double()
        gram = x.T @ x + SKIP_RIDGE * len(windows) * torch.eye(x.shape[1], dtype=torch.float64, device=x.device)
        skip = torch.linalg.solve(gram, x.T @ y)
        # The logarithm's mean is not the mean's logarithm: half a unit of variance on the six variances.
        ratio = (bin_means(windows.blended.clamp_max(RATIO_LIMIT)).double() / (x @ skip)[:, :BIN_COUNT].exp()).clamp_max(20)
        skip[-1, :BIN_COUNT] += ratio.mean(0).log()
    assert skip.shape[1] == HEADS
    return skip.T.float()


def loss_of(member, windows, rows, minute_weights):
    minutes = windows.minutes[rows].float() if member.body.needs_minutes else None
    log_variance, log_rv, log_range = member(windows.statics[rows], minutes, windows.ahead[rows])
    ratio = windows.blended[rows].clamp_max(RATIO_LIMIT) * torch.exp(-log_variance)
    qlike = ((ratio + log_variance) * minute_weights).sum(1) / BIN_COUNT
    rv = (log_rv - windows.rv50[rows].clamp_min(0.1).log()).abs()
    spread = (log_range - windows.range50[rows].clamp_min(0.1).log()).abs()
    return (qlike + 0.5 * rv + 0.5 * spread).mean()


def slot_penalty(member):
    """A penalty that keeps the day's rhythm smooth, periodic at midnight, and zero without evidence."""
    day = member.slot.weight.view(2, -1)
    return SLOT_SMOOTHNESS * ((day - day.roll(1, 1)) ** 2).sum() + SLOT_SHRINKAGE * (day**2).sum()


@torch.no_grad()
def answers_of(network, windows, batch=2048):
    """The outputs of a member, an ensemble or a calibrated network, as float64 arrays; uses a CUDA device if there is one."""
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    network = copy.deepcopy(network).to(device).eval()
    parts = []
    for start in range(0, len(windows), batch):
        rows = slice(start, start + batch)
        statics, minutes, ahead = (x[rows].to(device) for x in (windows.statics, windows.minutes, windows.ahead))
        parts.append([answer.cpu() for answer in network(statics, minutes.float(), ahead)])
    return [torch.cat(p).double().numpy() for p in zip(*parts)]


def validation_loss(member, windows, minute_weights, batch=4096):
    member.eval()
    total = 0.0
    with torch.no_grad():
        for start in range(0, len(windows), batch):
            rows = torch.arange(start, min(len(windows), start + batch), device=windows.statics.device)
            total += loss_of(member, windows, rows, minute_weights).item() * len(rows)
    return total / len(windows)


def fit_member(make_body, fit, validate, settings, progress, checkpoint=None, fingerprint=''):
    """
    settings: {seed, epochs, batch, learning_rate, weight_decay}, and `reads`, how the statics it is given begin (all).
    `checkpoint` is a path: written every five minutes and read at the start when it is there, unless it carries another
    fingerprint than this run's. Returns the member with averaged weights that did best on validation, the curve and the
    seconds it took, those before an interruption included. Runs on the device of the windows.
    """
    if len(fit) < settings['batch']:
        raise ValueError(f"{len(fit)} windows are fewer than one batch of {settings['batch']}")
    device = fit.statics.device
    began = time.monotonic()
    torch.manual_seed(settings['seed'])
    minute_weights = bin_weights().to(device)
    reads = torch.tensor(
        [i for i, name in enumerate(fit.static_names) if name.startswith(settings.get('reads', ''))], device=device
    )
    standardise = Standardise(fit.statics[:, reads]).to(device)
    skip = linear_skip(fit, reads, standardise)
    crypto = fit.static_names.index('is_crypto')
    member = Member(reads, crypto, standardise, skip, make_body(len(reads))).to(device)
    rhythm = [p for name, p in member.named_parameters() if name.startswith(('hour', 'slot'))]
    rest = [p for name, p in member.named_parameters() if not name.startswith(('hour', 'slot'))]
    optimiser = torch.optim.AdamW(
        [
            {'params': rest, 'weight_decay': settings['weight_decay']},
            {'params': rhythm, 'lr': 10 * settings['learning_rate'], 'weight_decay': 0.0},
        ],
        lr=settings['learning_rate'],
    )
    batch = settings['batch']
    steps_an_epoch = len(fit) // batch
    steps = settings['epochs'] * steps_an_epoch
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / 100) * max(0.02, 0.5 * (1 + np.cos(np.pi * step / steps)))
    )
    averaged = copy.deepcopy(member)
    best = {'loss': float('inf'), 'state': None}
    curve, first_step, seconds_before = [], 0, 0.0
    saved = read_saved(checkpoint, fingerprint, device)
    if saved is not None:
        member.load_state_dict(saved['member'])
        averaged.load_state_dict(saved['averaged'])
        optimiser.load_state_dict(saved['optimiser'])
        schedule.load_state_dict(saved['schedule'])
        best, curve, first_step = saved['best'], saved['curve'], saved['step']
        seconds_before = saved['seconds']
        set_random_state(saved['random'])
        progress.note(f'goes on at step {first_step} of {steps}')
    saved_at = time.monotonic()
    order = None
    for step in range(first_step, steps):
        place = step % steps_an_epoch
        if order is None or place == 0:
            # The order of an epoch depends on its number alone, so that a resumed run sees the same windows.
            generator = torch.Generator().manual_seed(1000 * settings['seed'] + step // steps_an_epoch)
            order = torch.randperm(len(fit), generator=generator)
        rows = order[place * batch : (place + 1) * batch].to(device)
        member.train()
        loss = loss_of(member, fit, rows, minute_weights) + slot_penalty(member)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(member.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            decay = min(EMA_DECAY, (1 + step) / (10 + step))
            for mean, now in zip(averaged.parameters(), member.parameters()):
                mean.mul_(decay).add_(now, alpha=1 - decay)
        if (step + 1) % max(1, steps_an_epoch // 2) == 0 or step + 1 == steps:
            value = validation_loss(averaged, validate, minute_weights)
            curve.append({'step': step + 1, 'train': loss.item(), 'validate': value})
            progress.note(f'step {step + 1} of {steps}: validation {value:.5f}')
            if value < best['loss']:
                best = {'loss': value, 'state': copy.deepcopy(averaged.state_dict())}
        progress.step(step + 1, steps, loss)
        if checkpoint is not None and time.monotonic() - saved_at > CHECKPOINT_S:
            saved_at = time.monotonic()
            save_whole(
                {
                    'fingerprint': fingerprint, 'member': member.state_dict(), 'averaged': averaged.state_dict(),
                    'optimiser': optimiser.state_dict(), 'schedule': schedule.state_dict(), 'best': best, 'curve': curve,
                    'step': step + 1, 'random': random_state(), 'seconds': seconds_before + time.monotonic() - began,
                },
                checkpoint,
            )
    averaged.load_state_dict(best['state'])
    averaged.eval()
    return averaged, curve, seconds_before + time.monotonic() - began


def save_whole(saved, file):
    """Writes the whole checkpoint or nothing: a run that is killed while it writes resumes from the former one."""
    beside = file.with_name(f'{file.name}.part')
    torch.save(saved, beside)
    os.replace(beside, file)


def read_saved(file, fingerprint, device='cpu'):
    """The saved checkpoint; None if there is none, or one of another recipe, seed or data."""
    if file is None or not file.exists():
        return None
    saved = torch.load(file, map_location=device, **UNSAFE_LOAD)
    return saved if saved['fingerprint'] == fingerprint else None


def random_state():
    return {'cpu': torch.get_rng_state(), 'cuda': torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []}


def set_random_state(state):
    torch.set_rng_state(state['cpu'].cpu())
    if torch.cuda.is_available() and state['cuda']:
        torch.cuda.set_rng_state_all([one.cpu() for one in state['cuda']])


def walked(log_variance):
    """sigma_h over s, [n, 50]."""
    return np.sqrt(np.cumsum(np.exp(log_variance), 1))


def crps_columns(windows, sigma, table, symbol_volatility):
    """CRPS in units of the symbol's ordinary volatility, [n, 6]."""
    unit = windows.scale / symbol_volatility[windows.symbol]
    return columns(crps(windows.moves.double().numpy(), sigma[..., None] * table)) * unit[:, None]
