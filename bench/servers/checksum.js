/**
 * A baseline that shows the cost of `node:http` and CRC-32 together: the least that an upload with a checksum can cost. Prints
 * its address when it listens.
 */
import { createServer } from 'node:http'
import { crc32 } from 'node:zlib'

const server = createServer((request, response) => {
  let sum = 0
  request.on('data', (chunk) => {
    sum = crc32(chunk, sum)
  })
  request.on('end', () => response.writeHead(200, { 'Content-Length': 0, ETag: sum.toString(16) }).end())
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening at http://127.0.0.1:${server.address().port}\n`))
