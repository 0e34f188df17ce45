import { SignUpForm } from '../../features/auth/sign-up-form.tsx';

export default function SignUpPage() {
  return <SignUpForm />;
}
