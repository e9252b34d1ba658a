/**
 * A baseline that shows the cost of `node:http` and `pg` alone: `node bare-postgres.js DATABASE`. POST parses and stringifies the
 * body, as `bare.js` does, and appends it to the table `plain`. Bodies that arrive during an append go into one next append.
 * Prints its address when it listens.
 */
import { createServer } from 'node:http'
import pg from 'pg'

const client = new pg.Client({ connectionString: process.argv[2] })
await client.connect()

const append = `INSERT INTO plain (tenant, seq, batch, record)
  SELECT 'bare', $1::bigint + new.place, gen_random_uuid(), new.record
  FROM json_array_elements($2::json) WITH ORDINALITY AS new (record, place)`
let last = 0
let waiting = []
let isAppending = false

async function appendWaiting() {
  isAppending = true
  while (waiting.length > 0) {
    const calls = waiting
    waiting = []
    const records = `[${calls.map(({ body }) => body).join(',')}]`
    await client.query({ name: 'append', text: append, values: [last, records] })
    last += calls.length
    for (const { response, body } of calls) {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      response.end(body)
    }
  }
  isAppending = false
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    waiting.push({ response, body: JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())) })
    // Waits for the other requests that have arrived.
    if (!isAppending && waiting.length === 1) setImmediate(appendWaiting)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening at http://127.0.0.1:${server.address().port}\n`))
