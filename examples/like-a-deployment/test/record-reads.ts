import { fileURLToPath } from 'node:url'
import { recordReads } from 'countersign/reads/vitest'

recordReads({ file: fileURLToPath(new URL('../reads.json', import.meta.url)) })
