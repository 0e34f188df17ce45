/** Wallets with real keys, as a page finds them: they sign whatever they are shown. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 as keccak } from '@noble/hashes/sha3.js';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export interface EthereumWallet {
  address: string;
  /** What the client library takes for `wallet`. */
  provider: EthereumProvider;
  /** Hexadecimal. */
  sign(message: string): Promise<string>;
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
  const { secretKey, publicKey } = secp256k1.keygen();
  const address = ethereumAddress(publicKey);
  let shown = '';
  const signMessage = async (message: string) => signByEthereum(secretKey, message);
  return {
    address,
    sign: signMessage,
    shown: () => shown,
    provider: {
      address,
      on() {},
      removeListener() {},
      async request({ method, params }) {
        if (method === 'eth_requestAccounts') return [address];
        if (method === 'eth_chainId') return chainIdHex;
        const [message] = params as [string, string];
        shown = Buffer.from(message.slice(2), 'hex').toString('utf8');
        return signMessage(shown);
      },
    },
  };
}

/** With capitals as a checksum (EIP-55), as wallets write it. */
function ethereumAddress(publicKey: Uint8Array): string {
  const key = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1);
  const digits = hexOf(keccak(key)).slice(-40);
  const checksum = hexOf(keccak(Buffer.from(digits)));
  return `0x${digits.replaceAll(/[a-f]/g, (digit, i) => ((checksum[i] ?? '') >= '8' ? digit.toUpperCase() : digit))}`;
}

/** EIP-191. */
function signByEthereum(secretKey: Uint8Array, message: string): string {
  const text = `\x19Ethereum Signed Message:\n${Buffer.byteLength(message)}${message}`;
  const options = { prehash: false, format: 'recovered' } as const;
  const [recoveryBit = 0, ...numbers] = secp256k1.sign(keccak(Buffer.from(text)), secretKey, options);
  return `0x${hexOf([...numbers, 27 + recoveryBit])}`;
}

function hexOf(bytes: Iterable<number>): string {
  return Buffer.from([...bytes]).toString('hex');
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
