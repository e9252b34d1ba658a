import { expect, test } from 'vitest'
import { recordsOf } from '../../conformance/evidence/executions.ts'

const read = (json: unknown) => ({ json }) as Parameters<typeof recordsOf>[0]['after']
const documentId = 'doc_7'

test.each([
  [{ runs: [{ execution_id: 501 }] }, { runs: [] }, ['/runs/0']],
  [{ runs: [{ key: 'x' }, { document: 'doc_7' }] }, { runs: [] }, ['/runs/1']],
  [{ runs: [{ key: 'x' }] }, { runs: [] }, ['/runs/0']],
  [{ runs: [{ key: 'x' }] }, { runs: [{ key: 'x' }] }, []],
  [{ runs: [{ key: 'x' }, { key: 'y' }] }, { runs: [] }, []],
  [{ recent_run_events: [{ key: 'x' }] }, { recent_run_events: [] }, []],
  [{ executions: 501, limit: 501 }, {}, []],
  [{ href: '/api/v1/runs/run_0123456' }, {}, ['']],
])('the records of the execution in case %# are $2', (after, before, pointers) => {
  const found = recordsOf({ ids: [501, 'run_0123456'], documentId, before: read(before), after: read(after) })
  expect(found.map(({ pointer }) => pointer)).toEqual(pointers)
})
