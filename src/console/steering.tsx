import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Schemas } from '../contract/operations.ts'
import { tenantName } from '../contract/tenant-name.ts'
import { FaultsDialog } from './faults.tsx'
import { callAdmin } from './live/admin.ts'
import { useAnswer, useLive, useNow } from './live/hooks.ts'
import { adopt, attemptCalls, go, pageState, say, tenantQuery, withReadingTime } from './live/live.ts'
import { Choice, Dialog, Field } from './parts/basics.tsx'
import { countText, exactTimeText } from './parts/format.ts'

type Settings = Schemas['Settings']
type Latency = NonNullable<Settings['latency']>
/** How far the clock moves forward. */
type Move = { readonly duration: string } | { readonly to: 'next-decision' }

const speedNames: Readonly<Record<string, string>> = {
  '0': 'stopped',
  '1': '× 1',
  '60': '1 min / s',
  '3600': '1 h / s',
  '86400': '1 d / s',
}

/** The bar that shows how the mock is set, and sets it: for the chosen tenant, or for all. */
export function Steering() {
  const { tenant: tenant_id } = useLive('route')
  const [dialog, setDialog] = useState<ComponentChildren>()
  const clock = useLive('clock')
  const { approvers = 'auto' } = useLive('settings') ?? {}
  const scenario = useLive('scenario')
  const { value: { scenarios = [] } = {} } = useAnswer('getScenarios', {})
  const names = scenarios.map(({ name }) => name)
  const speed = String(clock?.speed ?? 1)
  const setSpeed = async (chosen: string) => {
    const body = { speed: Number(chosen) }
    adopt({ clock: withReadingTime(await callAdmin('setClock', { query: tenantQuery(), body })) })
  }
  const close = () => setDialog(undefined)
  const load = (name: string) => {
    const description = scenarios.find((one) => one.name === name)?.description
    setDialog(<RestartDialog load={name} onClose={close} text={description} />)
  }
  return (
    <section class="steering" aria-label="Steering">
      <ClockFace />
      <Choice
        label="Speed"
        value={speed}
        options={[...new Set([...Object.keys(speedNames), speed])].map((one) => [one, speedNames[one] ?? `× ${one}`])}
        isSet={speed !== '1'}
        onChange={(chosen) => attemptCalls(() => setSpeed(chosen))}
      />
      <Choice
        label="Approvers"
        value={approvers}
        options={['auto', 'instant', 'manual']}
        isSet={approvers !== 'auto'}
        onChange={(chosen) => attemptCalls(() => change({ approvers: chosen }))}
      />
      {tenant_id === undefined ? (
        <Choice
          label="Scenario"
          value={scenario}
          options={names}
          isSet={scenario !== 'empty' && scenario !== ''}
          onChange={load}
        />
      ) : (
        <Choice
          label="Load scenario"
          value=""
          options={[['', 'choose …'], ...names]}
          onChange={(name) => name && load(name)}
        />
      )}
      <SettingButtons onOpen={setDialog} onClose={close} />
      {dialog}
    </section>
  )
}

/** Changes settings of the chosen tenant, or of all. */
async function change(part: Settings): Promise<void> {
  const body = { ...pageState().settings, ...part }
  adopt({ settings: await callAdmin('setSettings', { query: tenantQuery(), body }) })
}

/** The buttons that show settings and open their dialogs. */
function SettingButtons(props: { readonly onOpen: (dialog: ComponentChildren) => void; readonly onClose: () => void }) {
  const { onOpen, onClose } = props
  const { latency = noLatency, faults = [], rate_limit: rate = 0 } = useLive('settings') ?? {}
  const nextAnswers = useLive('next_answers')
  const counts = [
    [faults.length, 'fault'],
    [nextAnswers, 'answer'],
  ] as const
  const faultsText = counts.flatMap(([count, thing]) => (count > 0 ? [countText(count, thing)] : [])).join(', ')
  const rows: [label: string, text: string, dialog: ComponentChildren][] = [
    ['Latency', latencyText(latency), <LatencyDialog key="latency" latency={latency} onClose={onClose} />],
    ['Faults', faultsText, <FaultsDialog key="faults" faults={faults} onClose={onClose} onSet={change} />],
    ['Rate limit', rate === 0 ? '' : `${rate} / s`, <RateLimitDialog key="rate" rate={rate} onClose={onClose} />],
  ]
  return (
    <>
      {rows.map(([label, text, dialog]) => (
        <Setting key={label} label={label} text={text || 'none'} isSet={text !== ''} onClick={() => onOpen(dialog)} />
      ))}
      <Setting label="State" text="Reset …" onClick={() => onOpen(<RestartDialog onClose={onClose} />)} />
    </>
  )
}

function Setting(props: {
  readonly label: string
  readonly text: string
  readonly isSet?: boolean
  readonly onClick: () => void
}) {
  const { label, text, isSet, onClick } = props
  return (
    <div class={isSet ? 'field set' : 'field'}>
      <span aria-hidden="true">{label}</span>
      <button type="button" aria-label={`${label}: ${text}`} aria-haspopup="dialog" onClick={onClick}>
        {text}
      </button>
    </div>
  )
}

/** Loads a scenario, or resets the state without one. */
function RestartDialog(props: {
  readonly load?: string
  readonly text?: string | undefined
  readonly onClose: () => void
}) {
  const { load, text, onClose } = props
  const { tenant_id } = tenantQuery()
  const whom = tenant_id === undefined ? 'all tenants' : `tenant ${tenantName(tenant_id)}`
  const texts = load
    ? { title: `Load ${load} into ${whom}?`, action: 'Load' }
    : { title: `Reset ${whom}?`, action: 'Reset', isDangerous: true }
  const restart = async () => {
    const query = tenantQuery()
    await (load
      ? callAdmin('loadScenario', { query, params: { scenario: load } })
      : callAdmin('resetWorlds', { query }))
    go({ id: undefined, as_of: undefined }, 'replace')
  }
  return (
    <Dialog {...texts} onClose={onClose} onSubmit={restart}>
      {load ? (
        <>
          <p>{text}</p>
          <p>It replaces the whole state. Clock and settings stay as they are.</p>
        </>
      ) : (
        <p>
          State, clock and settings return to those that the mock was started with. Nothing of the present state is
          kept.
        </p>
      )}
    </Dialog>
  )
}

/** Shows the clock, and moves it forward. */
function ClockFace() {
  const now = useNow()
  const { tenant: tenant_id } = useLive('route')
  const button = (text: string, body: Move) => (
    <button type="button" onClick={() => attemptCalls(() => advance(body))}>
      {text}
    </button>
  )
  const advance = async (body: Move) => {
    const before = pageState().clock?.now
    const after = await callAdmin('advanceClock', { query: tenantQuery(), body })
    adopt({ clock: withReadingTime(after) })
    if ('to' in body && before !== undefined && Date.parse(after.now) - Date.parse(before) < 2000) {
      say('No decision is planned. Start an execution, or set approvers to auto.')
    }
  }
  return (
    <div class="clock">
      <div class="field">
        <span>Clock</span>
        <output class="figures">{exactTimeText(now)}</output>
      </div>
      {button('+ 1 h', { duration: 'PT1H' })}
      {button('+ 1 d', { duration: 'P1D' })}
      {tenant_id !== undefined && button('Next decision', { to: 'next-decision' })}
    </div>
  )
}

function latencyText({ min_ms: min, max_ms: max, p50_ms: p50, p99_ms: p99 }: Latency): string {
  if (max === 0) return ''
  if (p50 !== undefined && p99 !== undefined) return `p50 ${p50}, p99 ${p99} ms`
  return min === max ? `${max} ms` : `${min}–${max} ms`
}

const noLatency: Latency = { min_ms: 0, max_ms: 0 }

function LatencyDialog({ latency, onClose }: { readonly latency: Latency; readonly onClose: () => void }) {
  const [isSpread, setSpread] = useState(latency.p50_ms !== undefined)
  const field = (label: string, name: keyof typeof latency, more: { step?: 'any'; required?: boolean } = {}) => (
    <Field {...{ label, name, type: 'number', min: 0, max: 60_000, defaultValue: latency[name], ...more }} />
  )
  const submit = (entered: FormData) => {
    const filled = [...entered].filter(([, value]) => value !== '').map(([name, value]) => [name, Number(value)])
    return change({ latency: { ...noLatency, ...Object.fromEntries(filled) } })
  }
  const spread = { step: 'any', required: isSpread } as const
  return (
    <Dialog title="Latency" action="Set" onClose={onClose} onSubmit={submit}>
      <p>Each answer to a call with a key waits for a random time in this range.</p>
      <div class="fields">
        {field('From, in ms', 'min_ms')}
        {field('To, in ms', 'max_ms')}
      </div>
      <p>With a median and a 99th percentile in the range, most answers are quick and few are slow.</p>
      <div
        class="fields"
        onInput={({ currentTarget }) =>
          setSpread([...currentTarget.querySelectorAll('input')].some(({ value }) => value !== ''))
        }
      >
        {field('Median, in ms', 'p50_ms', spread)}
        {field('99th percentile, in ms', 'p99_ms', spread)}
      </div>
    </Dialog>
  )
}

function RateLimitDialog({ rate, onClose }: { readonly rate: number; readonly onClose: () => void }) {
  const submit = (entered: FormData) => change({ rate_limit: Number(entered.get('rate')) })
  return (
    <Dialog title="Rate limit" action="Set" onClose={onClose} onSubmit={submit}>
      <p>A tenant that sends more calls in a second is answered 429 with Retry-After. 0 is no limit.</p>
      <div class="fields">
        <Field label="Calls per second" type="number" name="rate" {...{ min: 0, step: 'any', defaultValue: rate }} />
      </div>
    </Dialog>
  )
}
