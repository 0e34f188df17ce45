/** Wallets with real keys, as a page finds them: they sign whatever they are shown. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { type Hex, hexToString } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export interface EthereumWallet {
  address: string;
  /** What the client library takes for `wallet`. */
  provider: EthereumProvider;
  /** Hexadecimal. */
  sign(message: string): Promise<Hex>;
  /** The last message that it was shown. */
  shown(): string;
}

interface EthereumProvider {
  address: string;
  on(): void;
  removeListener(): void;
  request(call: { method: string; params?: unknown }): Promise<unknown>;
}

export function ethereumWallet(chainIdHex = '0x1'): EthereumWallet {
  const account = privateKeyToAccount(generatePrivateKey());
  let shown = '';
  const signMessage = (message: string) => account.signMessage({ message });
  return {
    address: account.address,
    sign: signMessage,
    shown: () => shown,
    provider: {
      address: account.address,
      on() {},
      removeListener() {},
      async request({ method, params }) {
        if (method === 'eth_requestAccounts') return [account.address];
        if (method === 'eth_chainId') return chainIdHex;
        const [message] = params as [Hex, string];
        shown = hexToString(message);
        return signMessage(shown);
      },
    },
  };
}

export interface SolanaWallet {
  address: string;
  /** What the client library takes for `wallet`. */
  adapter: { publicKey: { toBase58(): string }; signMessage(message: Uint8Array): Promise<Uint8Array> };
  sign(message: string): Uint8Array;
  shown(): string;
}

export function solanaWallet(): SolanaWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = base58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  let shown = '';
  const signText = (message: string) => new Uint8Array(sign(null, Buffer.from(message), privateKey));
  return {
    address,
    sign: signText,
    shown: () => shown,
    adapter: {
      publicKey: { toBase58: () => address },
      async signMessage(message) {
        shown = new TextDecoder().decode(message);
        return signText(shown);
      },
    },
  };
}

function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  for (; number > 0n; number /= 58n) digits = BASE58.charAt(Number(number % 58n)) + digits;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + digits;
}
