/**
 * A baseline that shows the cost of `node:http` and SHA-256 together: the least that an upload with a digest can cost. Prints
 * its address when it listens.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  const hash = createHash('sha256')
  request.on('data', (chunk) => hash.update(chunk))
  request.on('end', () => response.writeHead(200, { 'Content-Length': 0, ETag: hash.digest('hex') }).end())
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening at http://127.0.0.1:${server.address().port}\n`))
