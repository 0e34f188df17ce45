import { ForgotPasswordForm } from '../../features/auth/forgot-password-form.tsx';

export default function ForgotPasswordPage() {
  return <ForgotPasswordForm />;
}
