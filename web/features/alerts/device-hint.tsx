/** Shown when the user chose 'on my devices' but has set up no device. */
import { Link } from 'react-router';

export function DeviceHint() {
  return (
    <p className="muted">
      No device gets notifications yet.{' '}
      <Link to="/account/notifications#notifications">Turn them on for this device</Link>.
    </p>
  );
}
