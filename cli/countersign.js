#!/usr/bin/env node
import { statSync } from 'node:fs'

const main = new URL('../dist/cli/main.js', import.meta.url)
const changedAt = (path) => statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs
// In a clone, whoever changes the contract may forget to build.
if (changedAt('../openapi.yaml') > changedAt('../dist/built-from'))
  process.stderr.write(`openapi.yaml has changed since the build, which is still used. Run 'npm run build'.\n`)
try {
  await import(main.href)
} catch (error) {
  process.stderr.write(`The command cannot be loaded (${error?.code ?? error}). Run 'npm ci' and 'npm run build'.\n`)
  process.exitCode = 4
}
