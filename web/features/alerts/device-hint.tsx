/** Said where 'on my devices' has no device to mean. */
import { Link } from 'react-router';

export function DeviceHint() {
  return (
    <p className="muted">
      No device takes notifications yet. <Link to="/account/security#notifications">Set one up under Security</Link>.
    </p>
  );
}
