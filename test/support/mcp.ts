import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Starts `countersign mcp` and connects the SDK's own client to it. `said` collects everything that the server has written. */
export async function connect(env: Record<string, string>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['cli/countersign.js', 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  const said: string[] = []
  transport.stderr?.on('data', (data) => said.push(String(data)))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { onmessage } = transport
  transport.onmessage = (message) => {
    said.push(JSON.stringify(message))
    onmessage?.(message)
  }
  return { client, said }
}

/** Calls a tool, and returns its text, parsed if it is not an error. */
export async function nextCall(client: Client, name: string, args: object) {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...args } })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return { isError, text, json: isError ? undefined : JSON.parse(text) }
}
