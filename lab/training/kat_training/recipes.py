"""
What each model is made of, by timeframe. Bobcat reads averages of returns and ranges and the clock; Panther also volume,
direction and the bars themselves; Lion is the mean of several networks. Chosen on validation windows only; docs/decisions/018-networks.md
lists what was tried and rejected, docs/decisions/066-timeframes.md does so for 5 and 15 minutes.
"""
from .networks import ConvBody, JointBody, MlpBody, PatchBody

# Averages of returns and ranges over many spans, and where in the day, hour and week it is.
PLAIN_STATICS = ('ln_rms_return', 'ln_parkinson', 'day_', 'hour_', 'week_', 'is_', 'since_open')

# Every window counts the same. If every symbol did, the ten that share one month of 2023 would outweigh nine months of two others.
FAST = {'epochs': 3, 'batch': 1024, 'learning_rate': 1e-3, 'weight_decay': 3e-1}
DEEP = {'epochs': 2, 'batch': 512, 'learning_rate': 7e-4, 'weight_decay': 1e-1}
CAREFUL = {**DEEP, 'weight_decay': 3e-1}
PLAIN = {**FAST, 'batch': 512, 'reads': PLAIN_STATICS}


def mlp(hidden, dropout):
    return lambda statics: MlpBody(statics, hidden, dropout)


def with_patches(statics):
    return JointBody(MlpBody(statics, 128, 0.1), PatchBody(statics, width=64, layers=2, dropout=0.2))


def with_careful_patches(statics):
    """For few windows that do not overlap: smaller beside the patches, with more dropout."""
    return JointBody(MlpBody(statics, 64, 0.3), PatchBody(statics, width=64, layers=2, dropout=0.4))


def with_convolutions(statics):
    return JointBody(MlpBody(statics, 128, 0.1), ConvBody(statics, width=48, layers=5, dropout=0.2))


OF_ONE_MINUTE = {
    'bobcat': {
        'summary': 'one perceptron (64, 64) on averages of returns and ranges',
        'members': [
            {'name': 'perceptron', 'body': mlp(64, 0.1), 'settings': PLAIN},
        ],
    },
    'panther': {
        'summary': 'one perceptron (128, 128) on all statistics and a patch transformer (64 wide, 2 blocks) on the minutes',
        'members': [{'name': 'patches', 'body': with_patches, 'settings': DEEP}],
    },
    'lion': {
        'summary': 'the mean of two perceptrons (256, 256), two patch transformers, one gated convolution and two perceptrons (64, 64) of the plain kind',
        'members': [
            {'name': 'perceptron', 'body': mlp(256, 0.3), 'settings': FAST},
            {'name': 'perceptron', 'body': mlp(256, 0.3), 'settings': FAST},
            {'name': 'patches', 'body': with_patches, 'settings': DEEP},
            {'name': 'patches', 'body': with_patches, 'settings': DEEP},
            {'name': 'convolutions', 'body': with_convolutions, 'settings': DEEP},
            {'name': 'plain', 'body': mlp(64, 0.1), 'settings': PLAIN},
            {'name': 'plain', 'body': mlp(64, 0.1), 'settings': PLAIN},
        ],
    },
}

SMALL = {'name': 'perceptron', 'body': mlp(128, 0.1), 'settings': FAST}

OF_FIVE_MINUTES = {
    'bobcat': OF_ONE_MINUTE['bobcat'],
    'panther': OF_ONE_MINUTE['panther'],
    'lion': {
        'summary': 'the mean of three perceptrons (128, 128), one patch transformer and one gated convolution',
        'members': [
            SMALL,
            SMALL,
            SMALL,
            {'name': 'patches', 'body': with_patches, 'settings': DEEP},
            {'name': 'convolutions', 'body': with_convolutions, 'settings': DEEP},
        ],
    },
}

OF_A_QUARTER = {
    'bobcat': OF_ONE_MINUTE['bobcat'],
    'panther': {
        'summary': 'one perceptron (64, 64) on all statistics and a patch transformer (64 wide, 2 blocks) on the bars',
        'members': [{'name': 'patches', 'body': with_careful_patches, 'settings': CAREFUL}],
    },
    'lion': {
        'summary': 'the mean of three perceptrons (128, 128) and two patch transformers',
        'members': [
            SMALL,
            SMALL,
            SMALL,
            {'name': 'patches', 'body': with_careful_patches, 'settings': CAREFUL},
            {'name': 'patches', 'body': with_careful_patches, 'settings': CAREFUL},
        ],
    },
}

RECIPES = {'1min': OF_ONE_MINUTE, '5min': OF_FIVE_MINUTES, '15min': OF_A_QUARTER}
MODELS = tuple(sorted(OF_ONE_MINUTE))
