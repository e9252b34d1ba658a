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
  const [faults, setFaults] = useState(props.faults)
  return (
    <Dialog title="Faults" action="Set faults" onClose={props.onClose} onSubmit={() => props.onSet(faults)}>
      <p>They hit calls at random. Of several faults, the first one drawn counts.</p>
      {faults.map((fault, index) => (
        <FaultFields
          key={index}
          of={fault}
          onChange={(changed) => setFaults(changed ? faults.with(index, changed) : faults.toSpliced(index, 1))}
        />
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

/** Changes a fault, or removes it. */
function FaultFields(props: { readonly of: Faults[number]; readonly onChange: (fault?: Faults[number]) => void }) {
  const { of: fault, onChange } = props
  const { operation_id, ...rest } = fault
  return (
    <div class="fields">
      <Choice
        label="Call"
        value={operation_id ?? everyCall}
        options={[[everyCall, everyCall], ...calls]}
        onChange={(id) => onChange(id === everyCall ? rest : { ...rest, operation_id: id })}
      />
      <Field
        label="Share in %"
        type="number"
        {...{ min: 0, max: 100, step: 'any' as const }}
        value={Math.round(fault.probability * 1000) / 10}
        onInput={(value) => onChange({ ...fault, probability: Number(value) / 100 })}
      />
      <Field
        label="Status"
        type="number"
        {...{ min: 400, max: 599, value: fault.status }}
        onInput={(value) => onChange({ ...fault, status: Number(value) })}
      />
      <button type="button" onClick={() => onChange()}>
        Remove
      </button>
    </div>
  )
}

/** Shows the answers that wait for their calls, and adds one. */
function NextAnswers() {
  const { admin, route, attempt } = useShared()
  const [operation, setOperation] = useState('executeWorkflow')
  const [status, setStatus] = useState('503')
  const query = { tenant_id: route.tenant }
  const waiting = useLoaded((signal) => admin.call('getNextAnswers', { query, signal }), [route.tenant])
  const answers = waiting.value?.next_answers ?? []
  const change = (call: () => Promise<unknown>) => () => attempt(() => call().then(waiting.reload))
  const body = { operation_id: operation, status: Number(status) }
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
        <Choice label="Call" value={operation} options={calls} onChange={setOperation} />
        <Field label="Status" type="number" min={200} max={599} value={status} onInput={setStatus} />
        <button type="button" onClick={change(() => admin.call('addNextAnswer', { query, body }))}>
          Add
        </button>
        {answers.length > 0 && (
          <button type="button" onClick={change(() => admin.call('clearNextAnswers', { query }))}>
            Clear
          </button>
        )}
      </div>
    </>
  )
}
