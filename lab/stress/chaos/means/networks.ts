/**
 * Servers' machines in separate network namespaces, and this process's own, with an address each for users,
 * database and broker. Between any two, all packets can be dropped without notice to either side. Needs root.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Networks {
  /** The servers' machines. */
  machines: readonly Machine[];
  databaseAddress: string;
  brokerAddress: string;
  /** Drops all packets between a machine and an address, both ways. @returns ends it */
  cut(machine: Machine, address: string): () => void;
  /** A machine reaches these ports of the users' machine on its own loopback. */
  forward(machine: Machine, ports: readonly number[]): Promise<void>;
  close(): void;
}

export interface Machine {
  address: string;
  /** A command prefix that runs a command on this machine. */
  through: readonly string[];
}

/** Private and rarely used (RFC 1918). */
const NET = '10.213.77';
const [USERS, DATABASE, BROKER] = [`${NET}.1`, `${NET}.11`, `${NET}.12`];
/** An unused MAC address. */
const NOWHERE = '02:00:00:00:00:99';

/** @returns `skipped` with the reason if networks cannot be created */
export function openNetworks(count: number): Networks | { skipped: string } {
  const mark = randomBytes(3).toString('hex');
  const bridge = `katbr${mark}`;
  const names = Array.from({ length: count }, (_nothing, nth) => `kat-${mark}-${nth}`);
  const machines = names.map((name, nth) => ({
    address: `${NET}.${nth + 2}`,
    through: ['ip', 'netns', 'exec', name],
  }));
  const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
  const ipIfItCan = (...args: string[]): void => void spawnSync('ip', args, { stdio: 'ignore' });
  const cuts = new Set<() => void>();
  const relays: ChildProcess[] = [];
  function close(): void {
    for (const heal of cuts) heal();
    for (const relay of relays) relay.kill('SIGKILL');
    for (const name of names) ipIfItCan('netns', 'del', name);
    ipIfItCan('link', 'del', bridge);
  }
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
    for (const address of [USERS, DATABASE, BROKER]) ip('addr', 'add', `${address}/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    for (const [nth, name] of names.entries()) {
      const [outer, address] = [`katv${mark}${nth}`, `${NET}.${nth + 2}`];
      ip('netns', 'add', name);
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('link', 'set', outer, 'master', bridge, 'up');
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['eth0', 'lo']) ip('-n', name, 'link', 'set', device, 'up');
    }
  } catch {
    close();
    return { skipped: 'no networks can be made here: that needs root and the command ip' };
  }

  return {
    machines,
    databaseAddress: DATABASE,
    brokerAddress: BROKER,
    cut(machine, address) {
      const name = machine.through.at(-1) ?? '';
      const rule = ['from', address, 'to', machine.address, 'blackhole'];
      ip('-n', name, 'neigh', 'replace', address, 'lladdr', NOWHERE, 'nud', 'permanent', 'dev', 'eth0');
      ip('rule', 'add', ...rule);
      const heal = (): void => {
        ipIfItCan('-n', name, 'neigh', 'del', address, 'dev', 'eth0');
        ipIfItCan('rule', 'del', ...rule);
        cuts.delete(heal);
      };
      cuts.add(heal);
      return heal;
    },
    async forward({ through: [command = '', ...before] }, ports) {
      const args = [
        ...before,
        process.execPath,
        join(import.meta.dirname, 'loopback-relay.ts'),
        USERS,
        ...ports.map(String),
      ];
      const relay = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      relays.push(relay);
      await once(relay, 'message');
    },
    close,
  };
}
