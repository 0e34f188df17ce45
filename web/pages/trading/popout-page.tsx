import { useSearchParams } from 'react-router';
import { PopoutView } from '../../features/popout/popout-view.tsx';

export default function PopoutPage() {
  const [query] = useSearchParams();
  return <PopoutView snapshotKey={query.get('key')} />;
}
