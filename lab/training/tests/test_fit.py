"""Fitting on made-up windows: it learns what is there, and a run that was stopped ends where an unbroken one does."""
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from kat_training import fit as fitting
from kat_training.networks import MlpBody
from kat_training.train import fingerprint_of, without_coin
from kat_training.windows import Windows, read_windows

SETTINGS = {'seed': 5, 'epochs': 2, 'batch': 128, 'learning_rate': 1e-3, 'weight_decay': 0.0}


def made_up_windows(count, seed):
    """The variance to come is e^x for the first static x; the second says nothing."""
    random = np.random.default_rng(seed)
    statics = random.normal(size=(count, 3)).astype(np.float32)
    statics[:, 2] = 1
    returns = random.normal(size=(count, 50)) * np.exp(statics[:, :1] / 2)
    t = torch.tensor
    return Windows(
        statics=t(statics), minutes=torch.zeros(count, 1, 1), ahead=torch.zeros(count, 50, 2, dtype=torch.int64),
        blended=t((returns**2).astype(np.float32)), moves=t(returns.cumsum(1).astype(np.float32)),
        ranges=t(np.abs(returns).astype(np.float32)), rv50=t(np.sqrt((returns**2).sum(1)).astype(np.float32)),
        range50=t(np.abs(returns).sum(1).astype(np.float32)), t0=np.arange(count) * 420, scale=np.ones(count),
        symbol=np.zeros(count, dtype=np.int64), symbols=[{'name': 'A', 'assetClass': 'crypto', 'windows': count}],
        static_names=['x', 'nothing', 'is_crypto'], meta={'data': seed},
    )


class Silent:
    def step(self, done, steps, loss):
        pass

    def note(self, text):
        pass


class FitTest(unittest.TestCase):
    def test_finds_the_variance_that_the_statics_tell(self):
        windows = made_up_windows(4000, 1)

        member, _, _ = fitting.fit_member(lambda n: MlpBody(n, 8, 0.0), windows, made_up_windows(1000, 2), SETTINGS, Silent())

        log_variance = fitting.answers_of(member, windows)[0]
        slope = np.polyfit(windows.statics[:, 0].numpy(), log_variance.mean(1), 1)[0]
        self.assertAlmostEqual(slope, 1.0, delta=0.1)

    def test_leaves_every_market_of_a_coin_out_and_says_so(self):
        windows = made_up_windows(6, 1)
        windows.symbols = [{'name': name, 'assetClass': 'crypto'} for name in ('SOLUSDT', 'aux-SOLUSDT.P', 'BTCUSDT')]
        windows.symbol = np.array([0, 0, 1, 1, 2, 2])

        left = without_coin(windows, 'SOL')

        self.assertEqual(left.symbol.tolist(), [2, 2])
        self.assertEqual(left.meta['without'], 'SOL')
        with self.assertRaises(SystemExit):
            without_coin(windows, 'DOGE')

    def test_a_run_that_was_stopped_ends_where_an_unbroken_one_does(self):
        windows, validate = made_up_windows(2000, 1), made_up_windows(500, 2)
        fit = lambda checkpoint: fitting.fit_member(
            lambda n: MlpBody(n, 8, 0.1), windows, validate, SETTINGS, Silent(), checkpoint
        )
        unbroken, _, _ = fit(None)
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(fitting, 'CHECKPOINT_S', -1):
            checkpoint = Path(folder) / 'run.pt'
            with mock.patch.object(Silent, 'step', stop_at(11)), self.assertRaises(KeyboardInterrupt):
                fit(checkpoint)

            resumed, _, seconds = fit(checkpoint)

        for one, other in zip(unbroken.state_dict().values(), resumed.state_dict().values()):
            self.assertTrue(torch.equal(one, other))
        self.assertGreater(seconds, 0)

    def test_what_another_recipe_or_other_candles_left_behind_is_not_taken_up(self):
        windows, validate = made_up_windows(2000, 1), made_up_windows(500, 2)
        mark = lambda settings, hidden, fit: fingerprint_of(settings, lambda n: MlpBody(n, hidden, 0.1), fit, validate)
        own = mark(SETTINGS, 8, windows)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'member.pt'
            fitting.save_whole({'fingerprint': own, 'weights': 1}, file)

            self.assertEqual(fitting.read_saved(file, own)['weights'], 1)
            for other in (
                mark({**SETTINGS, 'seed': 6}, 8, windows),
                mark({**SETTINGS, 'epochs': 3}, 8, windows),
                mark(SETTINGS, 16, windows),
                mark(SETTINGS, 8, made_up_windows(2000, 3)),
            ):
                self.assertIsNone(fitting.read_saved(file, other))

    def test_a_run_killed_while_it_saves_keeps_what_was_saved_before(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'run.pt'
            fitting.save_whole({'fingerprint': 'a', 'step': 1}, file)
            with mock.patch.object(fitting.os, 'replace', side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
                fitting.save_whole({'fingerprint': 'a', 'step': 2}, file)

            self.assertEqual(fitting.read_saved(file, 'a')['step'], 1)

    def test_fewer_windows_than_a_batch_are_refused_in_words(self):
        few = made_up_windows(100, 1)
        with self.assertRaisesRegex(ValueError, 'fewer than one batch'):
            fitting.fit_member(lambda n: MlpBody(n, 8, 0.0), few, few, SETTINGS, Silent())


def stop_at(step):
    def told(self, done, steps, loss):
        if done == step:
            raise KeyboardInterrupt

    return told


class ReadTest(unittest.TestCase):
    def test_refuses_numbers_that_are_not_finite_and_files_of_another_length(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            arrays = [{'name': 'statics', 'type': 'float32', 'length': 2}]
            (folder / 'meta.json').write_text(json.dumps({'windows': 2, 'arrays': arrays}))
            np.array([1, 2, np.nan, 4], dtype='<f4').tofile(folder / 'statics.bin')
            with self.assertRaisesRegex(ValueError, 'not finite'):
                read_windows(folder)
            np.array([1, 2, 3], dtype='<f4').tofile(folder / 'statics.bin')
            with self.assertRaisesRegex(ValueError, 'holds 3 numbers'):
                read_windows(folder)


if __name__ == '__main__':
    unittest.main()
