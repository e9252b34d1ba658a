/**
 * A baseline that shows the cost of `node:http` alone: `node bare.js [FILE]`. POST parses and stringifies the body, GET sends the
 * bytes of FILE, PUT drops the body. Prints its address when it listens.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const file = process.argv[2]
const bytes = !file ? Buffer.from('{}') : readFileSync(file)
const json = 'application/json'

const server = createServer((request, response) => {
  switch (request.method) {
    case 'GET':
      response.writeHead(200, { 'Content-Type': json, 'Content-Length': bytes.byteLength })
      response.end(bytes)
      return
    case 'PUT':
      request.on('data', () => {})
      request.on('end', () => response.writeHead(200, { 'Content-Length': 0 }).end())
      return
    default: {
      const chunks = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
        response.writeHead(200, { 'Content-Type': json, 'Content-Length': Buffer.byteLength(body) })
        response.end(body)
      })
    }
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening at http://127.0.0.1:${server.address().port}\n`))
