"""Every timeframe has a recipe of every model, within the limits of docs/models.md."""
import unittest

from kat_training.recipes import MODELS, RECIPES

LIMITS = {'bobcat': 100_000, 'panther': 1_000_000, 'lion': 5_000_000}
STATICS = 51


class RecipesTest(unittest.TestCase):
    def test_every_timeframe_has_every_model_within_its_limit(self):
        self.assertEqual(sorted(RECIPES), ['15min', '1min', '5min'])
        for timeframe, recipes in RECIPES.items():
            self.assertEqual(tuple(sorted(recipes)), MODELS)
            for name, recipe in recipes.items():
                with self.subTest(timeframe=timeframe, model=name):
                    bodies = [member['body'](STATICS) for member in recipe['members']]
                    count = sum(p.numel() for body in bodies for p in body.parameters())
                    self.assertLess(count, LIMITS[name])
