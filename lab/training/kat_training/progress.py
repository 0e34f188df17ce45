"""Shows progress: a bar on a terminal, otherwise a line now and then; and draws the loss curves."""
import sys
import time
from pathlib import Path

BAR = 30
LINE_EVERY_S = 20
WIDTH, HEIGHT, MARGIN = 720, 320, 48
COLOURS = ('#1f6feb', '#d9730d', '#2f855a', '#b83280', '#6b46c1', '#00838f', '#9a6700', '#cf222e')


class Progress:
    def __init__(self, name, stream=sys.stderr):
        self.name, self.stream = name, stream
        self.started, self.told, self.smooth = time.monotonic(), 0.0, None

    def step(self, done, steps, loss):
        now = time.monotonic()
        every = 0.5 if self.stream.isatty() else LINE_EVERY_S
        if done < steps and now - self.told < every:
            return
        value = float(loss.detach())
        self.smooth = value if self.smooth is None else 0.8 * self.smooth + 0.2 * value
        self.told = now
        filled = BAR * done // steps
        left = (now - self.started) / done * (steps - done)
        line = f"{self.name} [{'#' * filled}{'.' * (BAR - filled)}] {done}/{steps}  loss {self.smooth:.4f}  {left:.0f} s left"
        self.stream.write(f'\r{line}\x1b[K' if self.stream.isatty() else f'{line}\n')
        self.stream.flush()

    def note(self, text):
        start = '\r\x1b[K' if self.stream.isatty() else ''
        self.stream.write(f'{start}{self.name}: {text}\n')
        self.stream.flush()


def write_loss_plot(file, curves):
    """`curves`: {member: [{step, train, validate}]}. Validation loss against the share of the run, one line a member."""
    values = [point['validate'] for curve in curves.values() for point in curve]
    low, high = min(values), max(values)
    span = max(high - low, 1e-6)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{MARGIN}" y="20">Validation loss against the share of the run</text>',
        f'<text x="4" y="{MARGIN}">{high:.4f}</text><text x="4" y="{HEIGHT - MARGIN}">{low:.4f}</text>',
    ]
    for number, (name, curve) in enumerate(curves.items()):
        last = curve[-1]['step']
        points = [
            (
                MARGIN + (WIDTH - 2 * MARGIN) * point['step'] / last,
                HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (point['validate'] - low) / span,
            )
            for point in curve
        ]
        colour = COLOURS[number % len(COLOURS)]
        path = ' '.join(f'{x:.1f},{y:.1f}' for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x = MARGIN + (WIDTH - 2 * MARGIN) * number / max(1, len(curves))
        parts.append(f'<text x="{x:.0f}" y="{HEIGHT - 14}" fill="{colour}">{name}</text>')
    Path(file).write_text('\n'.join([*parts, '</svg>', '']))
