import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadSigner } from '../../src/node/s3/signer.ts'
import { findSwift } from './find-swift.ts'
import { unprivileged, unprivilegedFolder } from './postgres.ts'

/** An OpenStack Swift that a test has started, as an S3 store. */
export interface TestSwift {
  readonly endpoint: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Sends a signed request without a body. */
  call(method: string, path: string): Promise<Response>
  /** Stops the store and removes its files. */
  close(): Promise<void>
}

/** Starts Swift with an empty folder, as an unprivileged user, on free ports of this machine. */
export async function startSwift(): Promise<TestSwift> {
  const python = findSwift()
  if (python === undefined)
    throw new Error('Swift is not installed. Install it (Debian: apt-get install python3-swift).')
  const folder = unprivilegedFolder()
  const script = readFileSync(fileURLToPath(new URL('swift.py', import.meta.url)), 'utf8')
  const child = spawn(python, ['-c', script, folder], {
    ...unprivileged,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()))
    ended.then(() => reject(new Error('Swift did not start.')))
  })
  const endpoint = `http://127.0.0.1:${port}`
  const close = async () => {
    child.stdin.end()
    await ended
    rmSync(folder, { recursive: true })
  }
  const store = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test:tester', secretAccessKey: 'testing' },
  }
  const signer = await loadSigner({ ...store, credentials: { current: store.credentials } })
  const call = async (method: string, path: string) => {
    const { url, headers } = signer.authorize({ method, path })
    return fetch(url, { method, headers })
  }
  // The servers of buckets and of objects start at the same time, in any order.
  for (const path of ['/ready', '/ready/object']) {
    while (!(await call('PUT', path).catch(notYet))?.ok) await pause(20)
  }
  return { ...store, call, close }
}

/** Ignores that the proxy does not listen yet. */
function notYet(): undefined {}
