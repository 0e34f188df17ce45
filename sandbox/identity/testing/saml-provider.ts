/** A SAML identity provider on loopback: /sso returns the form that posts the response. It can send forged ones. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import type { Clock } from '#domain/time/clock.ts';
import { escapeMarkup, type SamlFault, type SamlPerson, type SamlRequest, samlResponse } from './saml-response.ts';

export interface SamlProviderOptions {
  clock: Clock;
  /** 0 or absent: any free port. */
  port?: number;
}

export interface SandboxSamlProvider {
  entityId: string;
  entryPoint: string;
  /** PEM of its public key. */
  certificate: string;
  signInAs(person: SamlPerson): void;
  /** Forges all further responses; null: valid responses again. */
  misbehave(fault: SamlFault | null): void;
  /** Signs the response too, not only the assertion. */
  signResponses(signs: boolean): void;
  /** Gives every further assertion this id; null: a new id each. */
  repeatAssertionId(id: string | null): void;
  close(): Promise<void>;
}

const KEY_BITS = 2048;

export async function startSamlProvider(options: SamlProviderOptions): Promise<SandboxSamlProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: KEY_BITS });
  const { privateKey: strangersKey } = generateKeyPairSync('rsa', { modulusLength: KEY_BITS });
  let person: SamlPerson = {
    nameId: 'person-1',
    attributes: { email: ['ada@example.org'], displayName: ['Ada Lovelace'] },
  };
  let fault: SamlFault | null = null;
  let signsResponse = false;
  let assertionId: string | null = null;
  let entityId = '';

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider.invalid');
    const samlRequest = url.pathname === '/sso' ? readRequest(url) : null;
    if (samlRequest === null) return void response.writeHead(400).end('A SAML request is expected at /sso.');
    const facts = { entityId, privateKey, strangersKey, request: samlRequest, person, nowMs: options.clock.nowMs() };
    const value = samlResponse({
      ...facts,
      signsResponse,
      fault,
      ...(assertionId === null ? {} : { assertionId }),
    });
    sendForm(response, samlRequest.acsUrl, {
      SAMLResponse: value,
      RelayState: url.searchParams.get('RelayState') ?? '',
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the provider has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  entityId = `${origin}/entity`;

  return {
    entityId,
    entryPoint: `${origin}/sso`,
    certificate: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    signInAs(next) {
      person = next;
    },
    misbehave(next) {
      fault = next;
    },
    signResponses(signs) {
      signsResponse = signs;
    },
    repeatAssertionId(id) {
      assertionId = id;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** By the redirect binding: deflated, base64, in the query. */
function readRequest(url: URL): SamlRequest | null {
  try {
    const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8');
    const id = /\sID="([^"]+)"/.exec(xml)?.[1];
    const acsUrl = /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)?.[1];
    const issuer = /<saml:Issuer[^>]*>([^<]+)</.exec(xml)?.[1];
    return id === undefined || acsUrl === undefined || issuer === undefined ? null : { id, acsUrl, issuer };
  } catch {
    // Not deflated, so not a request.
    return null;
  }
}

function sendForm(response: ServerResponse, action: string, fields: Readonly<Record<string, string>>): void {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`,
  );
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(
    `<!doctype html><title>Signing in</title><body onload="document.forms[0].submit()"><form method="post" action="${escapeMarkup(action)}">${inputs.join('')}<button>Continue</button></form>`,
  );
}
