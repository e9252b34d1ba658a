import { execFileSync } from 'node:child_process'
import { startTcpProxy } from './tcp-proxy.ts'

/** The connection of a mock to its database. A test can unplug it. */
export interface Cable {
  /** The address of the database at the mock's end. */
  readonly databaseUrl: string
  /** The words before the command of the mock, which bring it to its end of the cable. */
  readonly command: readonly string[]
  /** The address that the mock listens on. */
  readonly host: string
  /** Unplugs the cable. Neither side notices at once. */
  cut(): void
  /** Plugs the cable in again. */
  restore(): void
  close(): Promise<void> | void
}

/** Connects a mock with its database by a TCP proxy. */
export async function plugIn(databaseUrl: string): Promise<Cable> {
  const { port, cut, restore, close } = await startTcpProxy(Number(new URL(databaseUrl).port))
  return { databaseUrl: at(databaseUrl, { port: String(port) }), command: [], host: '127.0.0.1', cut, restore, close }
}

let namespaces = 0

/** Connects a mock with its database by a cable of its own network namespace. Linux allows that to root alone. */
export function plugInNamespace(databaseUrl: string): Cable {
  namespaces += 1
  const name = `countersign-${process.pid}-${namespaces}`
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
  ip('netns', 'add', name)

  /** Lays a cable between the namespace and this machine. Returns its end on this machine, and the first numbers of its addresses. */
  function lay(use: 'calls' | 'data') {
    const end = `cs${process.pid}${use[0]}${namespaces}`
    const network = `10.${100 + (process.pid % 100)}.${namespaces * 2 + (use === 'data' ? 1 : 0)}`
    ip('link', 'add', end, 'type', 'veth', 'peer', 'name', use, 'netns', name)
    ip('address', 'add', `${network}.1/24`, 'dev', end)
    ip('link', 'set', end, 'up')
    ip('-n', name, 'address', 'add', `${network}.2/24`, 'dev', use)
    ip('-n', name, 'link', 'set', use, 'up')
    return { end, network }
  }

  const calls = lay('calls')
  const data = lay('data')
  return {
    databaseUrl: at(databaseUrl, { hostname: `${data.network}.1` }),
    command: ['ip', 'netns', 'exec', name],
    host: `${calls.network}.2`,
    cut: () => ip('link', 'set', data.end, 'down'),
    restore: () => ip('link', 'set', data.end, 'up'),
    close() {
      for (const { end } of [calls, data]) ip('link', 'delete', end)
      ip('netns', 'delete', name)
    },
  }
}

function at(url: string, place: { port?: string; hostname?: string }): string {
  return Object.assign(new URL(url), place).href
}
