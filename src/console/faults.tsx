import { useState } from 'preact/hooks'
import { operations, type Schemas } from '../contract/operations.ts'
import { callAdmin } from './live/admin.ts'
import { useAnswer, useLive } from './live/hooks.ts'
import { attempt } from './live/live.ts'
import { Choice, Dialog, Field } from './parts/basics.tsx'

type Faults = NonNullable<Schemas['Settings']['faults']>

const everyCall = 'every call'
const calls = Object.keys(operations)

/** Sets the faults that hit calls at random, and shows and adds answers that wait for their calls. */
export function FaultsDialog(props: {
  readonly faults: Faults
  readonly onClose: () => void
  readonly onSet: (faults: Faults) => Promise<boolean>
}) {
  const [faults, setFaults] = useState(props.faults)
  const change = (index: number, part: Partial<Faults[number]>) =>
    setFaults(faults.with(index, { ...faults[index], ...part } as Faults[number]))
  return (
    <Dialog title="Faults" action="Set faults" onClose={props.onClose} onSubmit={() => props.onSet(faults)}>
      <p>They hit calls at random. Of several faults, the first one drawn counts.</p>
      {faults.map(({ operation_id = everyCall, probability, status }, index) => (
        <div key={index} class="fields">
          <Choice
            label="Call"
            value={operation_id}
            options={[everyCall, ...calls]}
            onChange={(id) => change(index, { operation_id: id })}
          />
          <Field
            label="Share in %"
            type="number"
            {...{ min: 0, max: 100, step: 'any', value: Math.round(probability * 1000) / 10 }}
            onInput={(event) => change(index, { probability: Number(event.currentTarget.value) / 100 })}
          />
          <Field
            label="Status"
            type="number"
            {...{ min: 400, max: 599, value: status }}
            onInput={(event) => change(index, { status: Number(event.currentTarget.value) })}
          />
          <button type="button" onClick={() => setFaults(faults.toSpliced(index, 1))}>
            Remove
          </button>
        </div>
      ))}
      <p class="fields">
        <button type="button" onClick={() => setFaults([...faults, { probability: 0.1, status: 503 }])}>
          Add a fault
        </button>
      </p>
      <NextAnswers />
    </Dialog>
  )
}

/** Shows the answers that wait for their calls, and adds one. */
function NextAnswers() {
  const { tenant: tenant_id } = useLive('route')
  const [operation_id, setOperation] = useState('executeWorkflow')
  const [status, setStatus] = useState('503')
  const query = { tenant_id }
  const { value } = useAnswer('getNextAnswers', { query }, useLive('next_answers'))
  const answers = value?.next_answers ?? []
  const add = () => callAdmin('addNextAnswer', { query, body: { operation_id, status: Number(status) } })
  return (
    <>
      <h3>The next answer</h3>
      <p>The next call gets this answer and is not carried out.</p>
      <ul class="plain">
        {answers.map(({ operation_id, status, times, connection }, index) => (
          <li key={index}>
            {operation_id}: {connection === 'broken' ? 'no answer' : (status ?? 'as usual')}
            {times > 1 && `, ${times} times`}
          </li>
        ))}
      </ul>
      <div class="fields">
        <Choice label="Call" value={operation_id} options={calls} onChange={setOperation} />
        <Field
          label="Status"
          type="number"
          {...{ min: 200, max: 599, value: status }}
          onInput={(event) => setStatus(event.currentTarget.value)}
        />
        <button type="button" onClick={() => attempt(add)}>
          Add
        </button>
        {answers.length > 0 && (
          <button type="button" onClick={() => attempt(() => callAdmin('clearNextAnswers', { query }))}>
            Clear
          </button>
        )}
      </div>
    </>
  )
}
