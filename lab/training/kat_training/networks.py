"""
The bodies and what surrounds them. Every body sees the same inputs and answers [n, 8]: six log variances for the minutes
1, 2-3, 4-5, 6-10, 11-25, 26-50, then ln RV50 and ln range50, all over s. Around it are the rhythm of the hour and of the
day and, after calibration, the quantile tables. Forecasting facts, sections 2 and 3.
"""
import math

import torch
from torch import nn

from .windows import HORIZON_BARS

BIN_STARTS = (1, 2, 4, 6, 11, 26)
BIN_COUNT = len(BIN_STARTS)
HEADS = BIN_COUNT + 2
SLOTS = 576
BIN_OF_MINUTE = [max(b for b, start in enumerate(BIN_STARTS) if start <= h) for h in range(1, HORIZON_BARS + 1)]
MINUTE_CHANNELS = 7


LEAST_SD = 1e-3


class Standardise(nn.Module):
    """
    Fixed shift and scale, measured on the fitting windows once. An input that never changed there is passed on as 0: a body
    has learnt nothing from it, and would use its random initial weights for a share.
    """

    def __init__(self, statics):
        super().__init__()
        self.register_buffer('mean', statics.mean(0))
        self.register_buffer('sd', statics.std(0).clamp_min(LEAST_SD))

    def forward(self, statics):
        factor = (self.sd > LEAST_SD).float() / self.sd
        return ((statics - self.mean) * factor).clamp(-6, 6)


def zero_last(layer):
    """A head that starts at zero: step 0 is the linear skip alone."""
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class MlpBody(nn.Module):
    """Two layers on the statistics alone."""

    needs_minutes = False

    def __init__(self, statics, hidden, dropout):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(statics, hidden), nn.GELU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.GELU(), nn.Dropout(dropout),
            zero_last(nn.Linear(hidden, HEADS)),
        )

    def forward(self, statics, minutes):
        return self.net(statics)


class Attention(nn.Module):
    """Self-attention written with matmul and softmax, which every exporter understands."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.project = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        n, tokens, width = x.shape
        q, k, v = self.project(x).view(n, tokens, 3, self.heads, self.size).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.size), dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(n, tokens, width))


class Block(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.before_attention, self.before_wide = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.wide = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.dropout(self.attention(self.before_attention(x)))
        return x + self.dropout(self.wide(self.before_wide(x)))


class PatchBody(nn.Module):
    """Patches of minutes as tokens, short ones for the last 90 minutes, long ones before; the statistics are one more token."""

    needs_minutes = True

    def __init__(self, statics, width, layers, dropout, near=90, near_patch=5, far_patch=15, heads=4):
        super().__init__()
        self.near, self.near_patch, self.far_patch = near, near_patch, far_patch
        tokens = near // near_patch + (450 - near) // far_patch + 1
        self.near_in = nn.Linear(near_patch * MINUTE_CHANNELS, width)
        self.far_in = nn.Linear(far_patch * MINUTE_CHANNELS, width)
        self.static_in = nn.Linear(statics, width)
        self.place = nn.Parameter(0.02 * torch.randn(1, tokens, width))
        self.blocks = nn.Sequential(*[Block(width, heads, dropout) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Sequential(
            nn.Linear(2 * width, width), nn.GELU(), nn.Dropout(dropout), zero_last(nn.Linear(width, HEADS))
        )

    def forward(self, statics, minutes):
        n = minutes.shape[0]
        far = minutes[:, : 450 - self.near].reshape(n, -1, self.far_patch * MINUTE_CHANNELS)
        near = minutes[:, 450 - self.near :].reshape(n, -1, self.near_patch * MINUTE_CHANNELS)
        tokens = [self.far_in(far), self.near_in(near), self.static_in(statics).unsqueeze(1)]
        x = self.norm(self.blocks(torch.cat(tokens, 1) + self.place))
        return self.head(torch.cat([x[:, -1], x.mean(1)], 1))


class ConvBody(nn.Module):
    """Gated causal convolutions with doubling reach on the last 256 minutes, beside the statistics."""

    needs_minutes = True

    def __init__(self, statics, width, layers, dropout, bars=256):
        super().__init__()
        self.bars = bars
        self.stem = nn.Conv1d(MINUTE_CHANNELS, width, 4, stride=4)
        self.gates = nn.ModuleList(
            [nn.Conv1d(width, 2 * width, 3, dilation=2**i, padding=2 ** (i + 1)) for i in range(layers)]
        )
        self.recent = nn.Linear(8 * MINUTE_CHANNELS, width)
        self.head = nn.Sequential(
            nn.Linear(3 * width + statics, 2 * width), nn.GELU(), nn.Dropout(dropout), zero_last(nn.Linear(2 * width, HEADS))
        )

    def forward(self, statics, minutes):
        n = minutes.shape[0]
        x = self.stem(minutes[:, 450 - self.bars :].transpose(1, 2))
        length = self.bars // 4
        for gate in self.gates:
            value, opening = gate(x)[:, :, :length].chunk(2, 1)
            x = x + torch.tanh(value) * torch.sigmoid(opening)
        recent = self.recent(minutes[:, 442:].reshape(n, 8 * MINUTE_CHANNELS))
        return self.head(torch.cat([x[:, :, -1], x.mean(2), recent, statics], 1))


class JointBody(nn.Module):
    """Adds the outputs of two bodies: the one that reads minutes learns what the statistics lack."""

    needs_minutes = True

    def __init__(self, one, other):
        super().__init__()
        self.one, self.other = one, other

    def forward(self, statics, minutes):
        return self.one(statics, minutes) + self.other(statics, minutes)


class Member(nn.Module):
    """
    One body on top of a linear skip, with the rhythm of the minutes ahead: (log variance [n, 50], ln RV50, ln range50).
    `reads`: places of the statics it is given; `crypto`: place of the one that marks coins. The rhythm is theirs; other
    markets have their own, which the session's offsets hold.
    """

    def __init__(self, reads, crypto, standardise, skip, body):
        super().__init__()
        statics = standardise.mean.shape[0]
        self.register_buffer('reads', reads)
        self.register_buffer('crypto', torch.tensor([crypto]))
        self.standardise = standardise
        self.skip = nn.Linear(statics, HEADS)
        with torch.no_grad():
            self.skip.weight.copy_(skip[:, :-1])
            self.skip.bias.copy_(skip[:, -1])
        self.body = body
        self.hour = nn.Embedding(60, 1)
        self.slot = nn.Embedding(SLOTS, 1)
        nn.init.zeros_(self.hour.weight)
        nn.init.zeros_(self.slot.weight)
        self.register_buffer('bin_of_minute', torch.tensor(BIN_OF_MINUTE))

    def forward(self, statics, minutes, ahead):
        x = self.standardise(statics.index_select(1, self.reads))
        heads = self.skip(x) + self.body(x, minutes)
        rhythm = self.hour(ahead[:, :, 0]).squeeze(-1) + self.slot(ahead[:, :, 1]).squeeze(-1)
        variances = heads.index_select(1, self.bin_of_minute) + rhythm * statics.index_select(1, self.crypto)
        return variances, heads[:, BIN_COUNT], heads[:, BIN_COUNT + 1]


class Ensemble(nn.Module):
    """The mean of its members' logarithms."""

    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, statics, minutes, ahead):
        answers = [member(statics, minutes, ahead) for member in self.members]
        return tuple(torch.stack(parts).mean(0) for parts in zip(*answers))
