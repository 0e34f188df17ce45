/**
 * Two servers' machines in separate network namespaces, and this process's own, with an address each for users,
 * database and broker. Between any two, all packets can be dropped without notice to either side. Needs root.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

export interface Networks {
  /** The servers' machines. */
  machines: readonly Machine[];
  databaseAddress: string;
  brokerAddress: string;
  /** Drops all packets between a machine and an address, both ways, until `heal`. */
  cut(machine: Machine, address: string): void;
  heal(): void;
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
export function openNetworks(): Networks | { skipped: string } {
  const mark = randomBytes(3).toString('hex');
  const bridge = `katbr${mark}`;
  const names = [`kat-${mark}-a`, `kat-${mark}-b`];
  const machines = names.map((name, nth) => ({
    address: `${NET}.${nth + 2}`,
    through: ['ip', 'netns', 'exec', name],
  }));
  const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
  const ipIfItCan = (...args: string[]): void => void spawnSync('ip', args, { stdio: 'ignore' });
  const undo: (() => void)[] = [];
  const heal = (): void => {
    for (const step of undo.splice(0).reverse()) step();
  };
  function close(): void {
    heal();
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

  /** Packets from a machine to an address are lost. */
  function loseFrom(name: string, address: string): void {
    ip('-n', name, 'neigh', 'replace', address, 'lladdr', NOWHERE, 'nud', 'permanent', 'dev', 'eth0');
    undo.push(() => ipIfItCan('-n', name, 'neigh', 'del', address, 'dev', 'eth0'));
  }
  return {
    machines,
    databaseAddress: DATABASE,
    brokerAddress: BROKER,
    cut(machine, address) {
      const name = machine.through.at(-1) ?? '';
      loseFrom(name, address);
      const other = names[machines.findIndex((one) => one.address === address)];
      if (other !== undefined) return loseFrom(other, machine.address);
      const rule = ['from', address, 'to', machine.address, 'blackhole'];
      ip('rule', 'add', ...rule);
      undo.push(() => ipIfItCan('rule', 'del', ...rule));
    },
    heal,
    close,
  };
}
