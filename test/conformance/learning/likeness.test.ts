import { expect, test } from 'vitest'
import { measureLikeness, type Named } from '../../../conformance/learning/likeness.ts'
import { exchangeOf } from '../../support/exchange.ts'

const read = (json: unknown): Named => exchangeOf({}, { name: 'read', json })

const runs = (id: string, state: string) => ({ runs: { [id]: { state, id } } })
const [one, other] = ['9508af63-6c97-4d0f-a053-930a04f1d385', 'ae5c3749-5171-462d-885a-407dc0727c1f']

const both = (first: number, state: string) => ({ runs: { [first]: { state: 'open' }, [first + 2]: { state } } })
const flat = { 'step.1.id': 'legal', 'step.2.id': 'board' }

const confirm = (key: string, json: unknown): Named => ({
  ...exchangeOf({ method: 'POST', url: 'http://there.test/api/v1/upload/confirm' }),
  ...{ name: 'confirm', json, sent: JSON.stringify({ completed_files: [{ key }] }) },
})
const [ours, theirs] = ['tenants/4711/a.pdf', 'tenants/67de08c47c36/a.pdf']
const upload = (key: string, shown = key) => [
  confirm(key, {}),
  read({ upload_url: `http://there.test/bucket/${shown.replace('a.pdf', 'b.pdf')}` }),
]

test.each<[members: string, ours: Named[], theirs: Named[], differences: object[]]>([
  ['named by identifiers', [read(runs(one, 'open'))], [read(runs(other, 'open'))], []],
  ['named by identifiers', [read(runs(one, 'open'))], [read(runs(other, 'done'))], [{ one: 'open', other: 'done' }]],
  ['that both name alike', [read(flat)], [read({ 'step.2.id': 'board' })], [{ one: 'legal', other: undefined }]],
  ['named by numbers of executions', [read(both(5018, 'done'))], [read(both(5020, 'done'))], []],
  [
    'named by numbers of executions',
    [read(both(5018, 'done'))],
    [read(both(5020, 'open'))],
    [{ one: 'done', other: 'open' }],
  ],
  ['named by storage keys', [confirm(ours, { [ours]: 'ok' })], [confirm(theirs, { [theirs]: 'ok' })], []],
  ['named by storage keys', [confirm(ours, { [ours]: 'ok' })], [confirm(theirs, { [ours]: 'ok' })], [{}, {}]],
  ['with the folder of a tenant', upload(ours), upload(theirs), []],
  ['with the folder of a tenant', upload(ours), upload(theirs, 'other/c/a.pdf'), [{ pointer: '/body/upload_url' }]],
])('case %#: the differences of members %s', (_, ours, theirs, differences) => {
  expect(measureLikeness(ours, theirs).differences).toMatchObject(differences)
})
