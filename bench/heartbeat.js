/** A thread that repeats a cheap request. On each message it reports the longest answer time since the last, in milliseconds. */
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { hostname, port, host } = new URL(workerData)
const request = `GET /api/v1/workflows/wf_none HTTP/1.1\r\nHost: ${host}\r\nAuthorization: test_heartbeat\r\n\r\n`
const socket = connect(Number(port), hostname)
socket.setNoDelay(true)

let longest = 0
let begun = 0
let isAsked = false

function send() {
  begun = performance.now()
  socket.write(request)
}

// The answer is small enough to arrive in one chunk.
socket.on('data', () => {
  longest = Math.max(longest, performance.now() - begun)
  if (isAsked) {
    parentPort.postMessage(longest)
    longest = 0
    isAsked = false
  }
  setTimeout(send, 2)
})
socket.once('connect', send)

// Report only after the next answer, which may be the slowest.
parentPort.on('message', () => {
  isAsked = true
})
