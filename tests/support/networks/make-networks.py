"""
Writes the small networks that tests forecast with, beside this file: one that is sound, and some that fail in their own
way once the market is wilder than 2% a minute, so that they pass the forecasts tried when they are opened. Run with
python3 and the onnx package (1.12 or newer); the same bytes every time.
"""
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

HORIZON_BARS = 50
# Place of ln_scale among the statics, from their end (network.test.ts watches it), and 0.02 on its scale: ln s + 7.5.
LN_SCALE = -19
WILD = float(np.log(0.02) + 7.5)
# Upper half of the 25 levels of a standard normal distribution.
NORMAL = [
    0.062707, 0.125661, 0.253347, 0.385320, 0.524401, 0.674490, 0.841621, 1.036433, 1.281552, 1.644854, 1.959964, 2.575829,
]


def constant(name, values, dtype=np.float32):
    return numpy_helper.from_array(np.asarray(values, dtype), name)


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs, outputs, **attributes)


def sound_parts(bars=HORIZON_BARS):
    """A random walk of the recent volatility: log variance 0 in every minute, normal quantiles."""
    walk = np.sqrt(np.arange(1, bars + 1))[:, None] * np.asarray(NORMAL)[None]
    initializers = [
        constant('first', [0], np.int64),
        constant('zero', [0.0]),
        constant('ln_scale_at', [LN_SCALE], np.int64),
        constant('wild', WILD),
        constant('flat', np.zeros((1, bars))),
        constant('walk', walk[None]),
        constant('log_rv', [0.5 * np.log(bars)]),
        constant('log_range', [0.5 * np.log(bars) + 0.4]),
    ]
    nodes = [
        node('Gather', ['statics', 'ln_scale_at'], ['ln_scale'], axis=1),
        node('Greater', ['ln_scale', 'wild'], ['is_wild']),
        node('Cast', ['is_wild'], ['wildness'], to=TensorProto.FLOAT),
        # Reads the second input without a trace of it, as every input must be read.
        node('Gather', ['ahead', 'first'], ['slots'], axis=2),
        node('Cast', ['slots'], ['slot_floats'], to=TensorProto.FLOAT),
        node('ReduceMean', ['slot_floats'], ['slot_mean'], axes=[1, 2], keepdims=0),
        node('Mul', ['slot_mean', 'zero'], ['nothing']),
        node('Squeeze', ['ln_scale', 'one_axis'], ['row']),
        node('Mul', ['row', 'zero'], ['row_zero']),
        node('Add', ['row_zero', 'nothing'], ['base']),
        node('Unsqueeze', ['base', 'one_axis'], ['base_2']),
        node('Unsqueeze', ['base_2', 'two_axis'], ['base_3']),
    ]
    initializers += [constant('one_axis', [1], np.int64), constant('two_axis', [2], np.int64)]
    return nodes, initializers


def finish(nodes, initializers, fault='fault'):
    """`fault` is [N, 1]: 0 where all is well."""
    nodes = nodes + [
        node('Add', ['base_2', fault], ['faulty_2']),
        node('Add', ['flat', 'faulty_2'], ['log_variance']),
        node('Add', ['walk', 'base_3'], ['upper_quantiles']),
        node('Add', ['log_rv', 'base'], ['log_rv50']),
        node('Add', ['log_range', 'base'], ['log_range50']),
    ]
    return nodes, initializers


def model(nodes, initializers, bars=HORIZON_BARS):
    def value(name, kind, shape):
        return helper.make_tensor_value_info(name, kind, shape)

    graph = helper.make_graph(
        nodes,
        'made-for-tests',
        [
            value('statics', TensorProto.FLOAT, ['N', 'statics']),
            value('ahead', TensorProto.INT64, ['N', HORIZON_BARS, 2]),
        ],
        [
            value('log_variance', TensorProto.FLOAT, ['N', bars]),
            value('upper_quantiles', TensorProto.FLOAT, ['N', bars, len(NORMAL)]),
            value('log_rv50', TensorProto.FLOAT, ['N']),
            value('log_range50', TensorProto.FLOAT, ['N']),
        ],
        initializers,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], producer_name='kat')
    made.ir_version = 8
    checker.check_model(made)
    return made


def sound(bars=HORIZON_BARS):
    nodes, initializers = sound_parts(bars)
    return model(*finish(nodes + [node('Mul', ['base_2', 'zero'], ['fault'])], initializers), bars=bars)


def nan_when(always):
    """0 / 0, or 0 / (1 - wildness) - which is 0 unless the market is wild."""
    nodes, initializers = sound_parts()
    initializers += [constant('one', [1.0])]
    divisor = 'zero' if always else 'calmness'
    nodes += [
        node('Sub', ['one', 'wildness'], ['calmness']),
        node('Mul', ['base_2', 'zero'], ['nought']),
        node('Div', ['nought', divisor], ['fault']),
    ]
    return model(*finish(nodes, initializers))


def throwing():
    """Looks up an entry that is not there."""
    nodes, initializers = sound_parts()
    initializers += [constant('table', [0.0]), constant('far', [1000], np.int64)]
    nodes += [
        node('Cast', ['is_wild'], ['wild_count'], to=TensorProto.INT64),
        node('Mul', ['wild_count', 'far'], ['place']),
        node('Gather', ['table', 'place'], ['fault'], axis=0),
    ]
    return model(*finish(nodes, initializers))


def endless(always):
    """Counts to 2^62, or to 0 while the market is calm."""
    nodes, initializers = sound_parts()
    initializers += [constant('far', [2**62], np.int64), constant('yes', True, np.bool_), constant('start', [0.0])]
    scalar = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            node('Identity', ['go_on'], ['goes_on']),
            node('Mul', ['kept_in', 'zero'], ['kept_out']),
        ],
        'count',
        [
            scalar('turn', TensorProto.INT64, []),
            scalar('go_on', TensorProto.BOOL, []),
            scalar('kept_in', TensorProto.FLOAT, [1]),
        ],
        [scalar('goes_on', TensorProto.BOOL, []), scalar('kept_out', TensorProto.FLOAT, [1])],
    )
    nodes += [
        node('Cast', ['is_wild'], ['wild_count'], to=TensorProto.INT64),
        node('ReduceMax', ['wild_count'], ['is_any_wild'], keepdims=0),
        node('Identity', ['far'], ['turns']) if always else node('Mul', ['is_any_wild', 'far'], ['turns']),
        node('Loop', ['turns', 'yes', 'start'], ['fault'], body=body),
    ]
    return model(*finish(nodes, initializers))


def main():
    networks = {
        'sound': sound(),
        'nan-always': nan_when(always=True),
        'nan-when-wild': nan_when(always=False),
        'throws-when-wild': throwing(),
        'endless-always': endless(always=True),
        'endless-when-wild': endless(always=False),
        'short': sound(bars=49),
    }
    for name, made in networks.items():
        (Path(__file__).parent / f'{name}.onnx').write_bytes(made.SerializeToString(deterministic=True))


if __name__ == '__main__':
    main()
