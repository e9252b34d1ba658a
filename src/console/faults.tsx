import { useState } from 'preact/hooks'
import { operations, type Schemas } from '../contract/operations.ts'
import { useLoaded, useShared } from './live/hooks.ts'
import { Choice, Dialog, Field } from './parts/basics.tsx'

type Faults = NonNullable<Schemas['Settings']['faults']>

const everyCall = 'every call'
const calls = Object.keys(operations).map((id) => [id, id] as const)

/** Sets the faults that hit calls at random, and shows and adds answers that wait for their calls. */
export function FaultsDialog(props: {
  readonly faults: Faults
  readonly onClose: () => void
  readonly onSet: (faults: Faults) => Promise<boolean>
}) {
  const { admin, route, attempt } = useShared()
  const [faults, setFaults] = useState(props.faults)
  const [next, setNext] = useState({ operation: 'executeWorkflow', status: '503' })
  const query = { tenant_id: route.tenant }
  const waiting = useLoaded((signal) => admin.call('getNextAnswers', { query, signal }), [route.tenant])
  const change = (index: number, part: Partial<Faults[number]>) =>
    setFaults(faults.map((fault, at) => (at === index ? { ...fault, ...part } : fault)))
  const answers = waiting.value?.next_answers ?? []

  return (
    <Dialog title="Faults" action="Set faults" onClose={props.onClose} onSubmit={() => props.onSet(faults)}>
      <p>They hit calls at random. Of several faults, the first one drawn counts.</p>
      {faults.map((fault, index) => (
        <div class="fields" key={index}>
          <Choice
            label="Call"
            value={fault.operation_id ?? everyCall}
            options={[[everyCall, everyCall], ...calls]}
            onChange={(id) => {
              const { operation_id: _, ...rest } = fault
              setFaults(faults.with(index, id === everyCall ? rest : { ...rest, operation_id: id }))
            }}
          />
          <Field
            label="Share in %"
            type="number"
            min={0}
            max={100}
            step="any"
            value={Math.round(fault.probability * 1000) / 10}
            onInput={(value) => change(index, { probability: Number(value) / 100 })}
          />
          <Field
            label="Status"
            type="number"
            min={400}
            max={599}
            value={fault.status}
            onInput={(value) => change(index, { status: Number(value) })}
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
        <Choice
          label="Call"
          value={next.operation}
          options={calls}
          onChange={(operation) => setNext({ ...next, operation })}
        />
        <Field
          label="Status"
          type="number"
          min={200}
          max={599}
          value={next.status}
          onInput={(status) => setNext({ ...next, status })}
        />
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              const body = { operation_id: next.operation, status: Number(next.status) }
              await admin.call('addNextAnswer', { query, body })
              waiting.reload()
            })
          }
        >
          Add
        </button>
        {answers.length > 0 && (
          <button
            type="button"
            onClick={() =>
              attempt(async () => {
                await admin.call('clearNextAnswers', { query })
                waiting.reload()
              })
            }
          >
            Clear
          </button>
        )}
      </div>
    </Dialog>
  )
}
