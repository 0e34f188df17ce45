"""The tables of quantiles: what counts the same, what counts by weight."""
import unittest

import numpy as np

from kat_training.calibrate import quantile_table, weighted_quantiles
from kat_training.windows import HORIZON_BARS


class QuantileTableTest(unittest.TestCase):
    def test_equal_weights_change_nothing_to_speak_of(self):
        moves = np.abs(np.random.default_rng(1).normal(size=(4000, HORIZON_BARS)))

        plain, weighted = quantile_table(moves), quantile_table(moves, np.full(4000, 0.1))

        self.assertLess(np.abs(plain / weighted - 1)[:, 4:].max(), 0.01)

    def test_a_sample_counts_by_its_share_whatever_its_size(self):
        few, many = np.zeros(10), np.ones(1000)
        values = np.concatenate([few, many])
        weights = np.concatenate([np.full(10, 0.25 / 10), np.full(1000, 0.75 / 1000)])

        quantiles = weighted_quantiles(values, weights, np.array([0.2, 0.3]))

        self.assertEqual(quantiles.tolist(), [0, 1])


if __name__ == '__main__':
    unittest.main()
