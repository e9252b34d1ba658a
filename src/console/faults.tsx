import { useState } from 'preact/hooks'
import { operations, type Schemas } from '../contract/operations.ts'
import { callAdmin } from './live/admin.ts'
import { useAnswer, useLive } from './live/hooks.ts'
import { attemptCalls, tenantQuery } from './live/live.ts'
import { Choice, Dialog, Field } from './parts/basics.tsx'

type Faults = NonNullable<Schemas['Settings']['faults']>

const everyCall = 'every call'
const calls = Object.keys(operations)

/** Sets the faults that hit calls at random, and shows and adds answers that wait for their calls. */
export function FaultsDialog(props: {
  readonly faults: Faults
  readonly onClose: () => void
  readonly onSet: (settings: { readonly faults: Faults }) => Promise<unknown>
}) {
  const [faults, setFaults] = useState(props.faults)
  return (
    <Dialog
      title="Faults"
      action="Set faults"
      onClose={props.onClose}
      onSubmit={(entered) => props.onSet({ faults: faultsIn(entered) })}
    >
      <p>They hit calls at random. Of several faults, the first one drawn counts.</p>
      {faults.map((fault) => (
        <div key={fault} class="fields">
          <Choice label="Call" name="call" value={fault.operation_id ?? everyCall} options={[everyCall, ...calls]} />
          <Field
            label="Share in %"
            type="number"
            name="share"
            {...{ min: 0, max: 100, step: 'any', defaultValue: Math.round(fault.probability * 1000) / 10 }}
          />
          <Field label="Status" type="number" name="status" {...{ min: 400, max: 599, defaultValue: fault.status }} />
          <button type="button" onClick={() => setFaults(faults.filter((one) => one !== fault))}>
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

function faultsIn(entered: FormData): Faults {
  const number = (name: string, index: number) => Number(entered.getAll(name)[index])
  return entered.getAll('call').map((call, index) => ({
    ...(call !== everyCall && { operation_id: String(call) }),
    probability: number('share', index) / 100,
    status: number('status', index),
  }))
}

/** Shows the answers that wait for their calls, and adds one. */
function NextAnswers() {
  const query = tenantQuery()
  const { value } = useAnswer('getNextAnswers', { query }, useLive('next_answers'))
  const answers = value?.next_answers ?? []
  const add = ({ form }: HTMLButtonElement) => {
    const entered = new FormData(form ?? undefined)
    const body = { operation_id: String(entered.get('next_call')), status: Number(entered.get('next_status')) }
    return attemptCalls(() => callAdmin('addNextAnswer', { query, body }))
  }
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
        <Choice label="Call" name="next_call" value="executeWorkflow" options={calls} />
        <Field label="Status" type="number" name="next_status" {...{ min: 200, max: 599, defaultValue: 503 }} />
        <button type="button" onClick={(event) => add(event.currentTarget)}>
          Add
        </button>
        {answers.length > 0 && (
          <button type="button" onClick={() => attemptCalls(() => callAdmin('clearNextAnswers', { query }))}>
            Clear
          </button>
        )}
      </div>
    </>
  )
}
