"""What the scores and the calibration promise. Run: PYTHON -m unittest discover tests (from training/)."""
import math
import unittest

import numpy as np
import torch

from kat_training.calibrate import CLASSES, Calibrated, quantile_table
from kat_training.scores import SCORED_HORIZONS, UPPER_LEVELS, columns, crps, skill


class CrpsTest(unittest.TestCase):
    def test_is_twice_the_mean_pinball_loss_of_the_25_levels(self):
        move, upper = 0.7, np.linspace(0.1, 2.5, 12)
        levels = np.concatenate([1 - UPPER_LEVELS[::-1], [0.5], UPPER_LEVELS])
        quantiles = np.concatenate([-upper[::-1], [0.0], upper])
        pinball = np.maximum(levels * (move - quantiles), (levels - 1) * (move - quantiles))

        found = crps(np.full((1, 50), move), upper)[0, 0]

        self.assertAlmostEqual(found, 2 * pinball.mean(), places=12)

    def test_is_least_for_the_true_width(self):
        moves = np.random.default_rng(1).normal(size=(20000, 50))
        gauss = np.array([math.sqrt(2) * float(torch.erfinv(torch.tensor(2 * level - 1))) for level in UPPER_LEVELS])

        scores = {width: crps(moves, width * gauss).mean() for width in (0.8, 0.9, 1.0, 1.1, 1.25)}

        self.assertEqual(min(scores, key=scores.get), 1.0)

    def test_all_horizons_are_weighed_by_their_root(self):
        found = columns(np.tile(np.sqrt(np.arange(1, 51)), (3, 1)))

        self.assertEqual(found.shape, (3, len(SCORED_HORIZONS) + 1))
        np.testing.assert_allclose(found[:, -1], 1.0)

    def test_no_skill_is_shown_against_oneself(self):
        values = np.random.default_rng(2).random((500, 6))

        estimate, low, high = skill(np.arange(500) * 3600, values, values)

        np.testing.assert_array_equal(estimate, np.zeros(6))
        np.testing.assert_array_equal(low, high)


class CalibrationTest(unittest.TestCase):
    def test_a_table_holds_the_share_it_promises(self):
        moves = np.abs(np.random.default_rng(3).standard_t(4, size=(40000, 50)))

        table = quantile_table(moves)

        for place, level in ((8, 0.9), (10, 0.975)):
            self.assertAlmostEqual((moves[:, 20] <= table[20, place]).mean(), 2 * level - 1, delta=0.01)

    def test_quantiles_rise_whatever_the_looks_say(self):
        names = ['ln_parkinson_240', 'ln_rms_return_240', 'ln_mean_abs_return_240', 'ln_scale', 'since_open_15', 'since_open_60']
        names += ['hour_sin_1', 'hour_cos_1', 'hour_sin_2', 'hour_cos_2', 'day_sin_1', 'day_cos_1', 'day_sin_2', 'day_cos_2', *[f'is_{name}' for name in CLASSES]]
        network = Calibrated(StillBody(), names)
        with torch.no_grad():
            network.fatness.weight.fill_(5.0)
            network.tables.copy_(torch.linspace(0.05, 2.6, 12).repeat(50).expand(3, -1))
        statics = 10 * torch.randn(200, len(names), generator=torch.Generator().manual_seed(4))
        statics[:, -3:] = torch.tensor([1.0, 0.0, 0.0])

        upper = network(statics, None, torch.zeros(200, 50, 2, dtype=torch.int64))[1]

        self.assertTrue((upper[:, :, 1:] >= upper[:, :, :-1]).all())
        self.assertTrue(torch.isfinite(upper).all())


class StillBody(torch.nn.Module):
    def forward(self, statics, minutes, ahead):
        rows = statics.shape[0]
        return torch.zeros(rows, 50), torch.zeros(rows), torch.zeros(rows)


if __name__ == '__main__':
    unittest.main()
