/** A page whose handlers keep their state in IndexedDB. */
import { getResponse } from 'msw'
import { handlers } from '../../../mocks/handlers.ts'

const connections = new Set<IDBDatabase>()
const { transaction } = IDBDatabase.prototype
IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
  connections.add(this)
  return transaction.apply(this, args)
}

const { origin } = location
const all = handlers({ baseUrl: origin, persist: 'indexeddb', approvers: 'manual' })

const keptPage = {
  /** Sends a call to the handlers. Returns the status and the parsed body of the answer. */
  async call(apiKey: string, method: string, path: string, body?: object) {
    const headers = { Authorization: apiKey, ...(body && { 'Content-Type': 'application/json' }) }
    const request = new Request(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const answer = await getResponse(all, request)
    return { status: answer?.status, json: await answer?.json() }
  },

  /** Closes all connections to the databases of the page, as a browser may. */
  closeDatabases() {
    for (const connection of connections) connection.close()
  },
}
declare global {
  var persistentPage: typeof keptPage
}
globalThis.persistentPage = keptPage
