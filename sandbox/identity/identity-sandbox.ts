/** Simulates Google and GitHub on loopback. The OpenID provider's code loads with the first visitor. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { JWTPayload } from 'jose';
import { isToLoopback } from '../loopback-host.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { type GitHubRole, gitHubRole } from './github-role.ts';
import type { GoogleRole } from './google-role.ts';
import { answerJson, answerPicture, PICTURES } from './http-answers.ts';
import { siteAddresses } from './site-addresses.ts';
import type { TestPerson } from './test-people.ts';

export interface IdentitySandboxOptions {
  /** The site's own origins besides this machine's; a sign-in redirects to no other. */
  origins?: readonly string[];
  log?: (line: string) => void;
}

export interface IdentitySandbox {
  google: { clientId: string; clientSecret: string; issuer: string };
  github: { clientId: string; clientSecret: string; url: string; apiUrl: string };
  googleIdToken(person: TestPerson, claims?: JWTPayload): Promise<string>;
  close(): Promise<void>;
}

export async function startIdentitySandbox(options: IdentitySandboxOptions = {}): Promise<IdentitySandbox> {
  const { origins = [], log = () => {} } = options;
  const site = siteAddresses(origins);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log(`the identity sandbox failed: ${error instanceof Error ? error.message : 'unknown'}`);
      if (!response.headersSent) answerJson(response, 500, { error: 'server_error' });
      else response.destroy();
    });
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const google = { ...newClient('google'), issuer: `${origin}/google` };
  const github = { ...newClient('github'), url: `${origin}/github`, apiUrl: `${origin}/github/api` };

  let openingGoogle: Promise<GoogleRole> | null = null;
  function openGoogle(): Promise<GoogleRole> {
    openingGoogle ??= import('./google-role.ts').then((role) => role.googleRole({ ...google, site, log }));
    return openingGoogle;
  }
  const gitHub: GitHubRole = gitHubRole({ ...github, mount: '/github', site });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isToLoopback(request)) return answerJson(response, 421, { error: 'wrong_host' });
    const address = request.url ?? '/';
    const [, role = ''] = address.split(/[/?]/);
    if (role === PICTURES) return answerPicture(response, address);
    if (role !== 'google' && role !== 'github') return answerJson(response, 404, { error: 'not_found' });
    const below = address.slice(role.length + 1);
    const path = below.split('?')[0] ?? '/';
    if (role === 'github') return gitHub.answer(request, response, path);
    // The provider reads its mount path from this.
    Object.assign(request, { originalUrl: address, url: path.startsWith('/sign-in/') ? address : below });
    return (await openGoogle()).answer(request, response, path);
  }

  return {
    google,
    github,
    googleIdToken: async (person, claims = {}) => (await openGoogle()).idToken(person, claims),
    async close() {
      await closeServer(server);
    },
  };
}

function newClient(name: string): { clientId: string; clientSecret: string } {
  return {
    clientId: `${name}-sandbox-${randomBytes(6).toString('hex')}`,
    clientSecret: randomBytes(24).toString('base64url'),
  };
}
