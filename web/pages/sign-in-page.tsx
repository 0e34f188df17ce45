/** /auth/signin. */
import { SignInForm } from '../features/auth/sign-in-form.tsx';

export default function SignInPage() {
  return <SignInForm />;
}
