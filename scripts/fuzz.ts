/** Sends random and mutated requests to every operation. Prints statistics of the answers, or how to repeat a failure. */
import { parseArgs } from 'node:util'
import { campaign } from '../test/fuzz/campaign.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) {
  throw new Error('--requests or --seed is not a whole number. Pass whole numbers, such as --requests 1000 --seed 7.')
}

const begun = performance.now()
const statistics = await campaign({ requests, seed })
const seconds = Math.round((performance.now() - begun) / 1000)
process.stdout.write(`${JSON.stringify({ seed, seconds, ...statistics }, null, 2)}\n`)
