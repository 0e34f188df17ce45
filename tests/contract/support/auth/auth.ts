/** Calls of the auth service by hand, for what the client library hides: raw answers, refresh tokens, live sessions. */
import { type BackendTestServer, JSON_TYPE } from '../backend.ts';

/** @param server the backend of the running test */
export function authCalls(server: () => BackendTestServer) {
  function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return server().request(path, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
  }

  async function refresh(refreshToken: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken });
    return { status: answer.status, body: await answer.json() };
  }

  async function signedIn() {
    const user = await server().user();
    const { data } = await user.client.auth.getSession();
    if (!data.session) throw new Error('no session');
    return { ...user, refreshToken: data.session.refresh_token };
  }

  const statusOfUser = async (accessToken: string) =>
    (await server().request('/auth/v1/user', { headers: { authorization: `Bearer ${accessToken}` } })).status;

  return { post, refresh, signedIn, statusOfUser };
}
