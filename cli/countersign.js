#!/usr/bin/env node
const main = new URL('../dist/cli/main.js', import.meta.url)
try {
  await import(main.href)
} catch (error) {
  process.stderr.write(`The command cannot be loaded (${error?.code ?? error}). Run 'npm ci' and 'npm run build'.\n`)
  process.exitCode = 4
}
