import { useState } from 'preact/hooks'
import type { Schemas } from '../contract/operations.ts'
import { tenantName } from '../contract/tenant-name.ts'
import { FaultsDialog } from './faults.tsx'
import { useLive, useLoaded, useNow, useShared } from './live/hooks.ts'
import { Choice, Dialog, Field } from './parts/basics.tsx'
import { countText, exactTimeText } from './parts/format.ts'

type Settings = Schemas['Settings']

const speeds = ['0', '1', '60', '3600', '86400']
const speedNames: Readonly<Record<string, string>> = {
  '0': 'stopped',
  '1': '× 1',
  '60': '1 min / s',
  '3600': '1 h / s',
  '86400': '1 d / s',
}

/** The bar that shows how the mock is set, and sets it: for the chosen tenant, or for all. */
export function Steering() {
  const { admin, live, route, go, attempt, say } = useShared()
  const [open, setOpen] = useState<'faults' | 'latency' | 'rate' | 'reset' | { scenario: string } | undefined>()
  const clock = useLive((state) => state.clock)
  const settings = useLive((state) => state.settings)
  const scenario = useLive((state) => state.scenario)
  const nextAnswers = useLive((state) => state.nextAnswers)
  const { value: scenarios } = useLoaded((signal) => admin.call('getScenarios', { signal }), ['scenarios'])
  const query = { tenant_id: route.tenant }
  const whom = route.tenant === undefined ? 'all tenants' : `tenant ${tenantName(route.tenant)}`
  const close = () => setOpen(undefined)

  const set = (change: Settings) =>
    attempt(async () => {
      live.adopt({ settings: await admin.call('setSettings', { query, body: { ...settings, ...change } }) })
    })
  const setSpeed = (speed: number) =>
    attempt(async () => live.adopt({ clock: await admin.call('setClock', { query, body: { speed } }) }))
  const advance = (body: { duration: string } | { to: 'next-decision' }) =>
    attempt(async () => {
      const before = live.state.clock?.now
      const after = await admin.call('advanceClock', { query, body })
      live.adopt({ clock: after })
      if ('to' in body && before !== undefined && Date.parse(after.now) - Date.parse(before) < 2000) {
        say('No decision is planned. Start an execution, or set approvers to auto.')
      }
    })

  const latency = settings?.latency
  const latencyText = !latency || latency.max_ms === 0 ? 'none' : delayText(latency)
  const faults = settings?.faults ?? []
  const faultsText = [
    ...(faults.length > 0 ? [countText(faults.length, 'fault')] : []),
    ...(nextAnswers > 0 ? [countText(nextAnswers, 'answer')] : []),
  ].join(', ')
  const rate = settings?.rate_limit ?? 0
  const speed = String(clock?.speed ?? 1)

  return (
    <section class="steering" aria-label="Steering">
      <ClockFace onAdvance={advance} hasTenant={route.tenant !== undefined} />
      <Choice
        label="Speed"
        value={speed}
        options={[...new Set([...speeds, speed])].map((one) => [one, speedNames[one] ?? `× ${one}`])}
        isSet={speed !== '1'}
        onChange={(value) => setSpeed(Number(value))}
      />
      <Choice
        label="Approvers"
        value={settings?.approvers ?? 'auto'}
        options={[
          ['auto', 'auto'],
          ['instant', 'instant'],
          ['manual', 'manual'],
        ]}
        isSet={settings?.approvers !== undefined && settings.approvers !== 'auto'}
        onChange={(approvers) => set({ approvers })}
      />
      <Choice
        label={route.tenant === undefined ? 'Scenario' : 'Load scenario'}
        value={route.tenant === undefined ? scenario : ''}
        options={[
          ...(route.tenant === undefined ? [] : ([['', 'choose …']] as const)),
          ...(scenarios?.scenarios ?? []).map(({ name }) => [name, name] as const),
        ]}
        isSet={route.tenant === undefined && scenario !== 'empty' && scenario !== ''}
        onChange={(value) => value && setOpen({ scenario: value })}
      />
      <Setting label="Latency" text={latencyText} isSet={latencyText !== 'none'} onClick={() => setOpen('latency')} />
      <Setting label="Faults" text={faultsText || 'none'} isSet={faultsText !== ''} onClick={() => setOpen('faults')} />
      <Setting
        label="Rate limit"
        text={rate === 0 ? 'none' : `${rate} / s`}
        isSet={rate !== 0}
        onClick={() => setOpen('rate')}
      />
      <Setting label="State" text="Reset …" isSet={false} onClick={() => setOpen('reset')} />
      {open === 'latency' && (
        <LatencyDialog latency={latency} onClose={close} onSet={(value) => set({ latency: value })} />
      )}
      {open === 'faults' && <FaultsDialog faults={faults} onClose={close} onSet={(value) => set({ faults: value })} />}
      {open === 'rate' && <RateLimitDialog rate={rate} onClose={close} onSet={(value) => set({ rate_limit: value })} />}
      {open === 'reset' && (
        <Dialog
          title={`Reset ${whom}?`}
          action="Reset"
          isDangerous
          onClose={close}
          onSubmit={() =>
            attempt(async () => {
              await admin.call('resetWorlds', { query })
              live.restart()
              go({ id: undefined, asOf: undefined }, 'replace')
            })
          }
        >
          <p>
            State, clock and settings return to those that the mock was started with. Nothing of the present state is
            kept.
          </p>
        </Dialog>
      )}
      {typeof open === 'object' && (
        <Dialog
          title={`Load ${open.scenario} into ${whom}?`}
          action="Load"
          onClose={close}
          onSubmit={() =>
            attempt(async () => {
              await admin.call('loadScenario', { query, params: { scenario: open.scenario } })
              live.restart()
              go({ id: undefined, asOf: undefined }, 'replace')
            })
          }
        >
          <p>{scenarios?.scenarios.find(({ name }) => name === open.scenario)?.description}</p>
          <p>It replaces the whole state. Clock and settings stay as they are.</p>
        </Dialog>
      )}
    </section>
  )
}

function delayText({ min_ms: min, max_ms: max, p50_ms: p50, p99_ms: p99 }: NonNullable<Settings['latency']>): string {
  if (p50 !== undefined && p99 !== undefined) return `p50 ${p50}, p99 ${p99} ms`
  return min === max ? `${max} ms` : `${min}–${max} ms`
}

/** Shows the clock, and moves it forward. */
function ClockFace(props: {
  readonly onAdvance: (body: { duration: string } | { to: 'next-decision' }) => unknown
  readonly hasTenant: boolean
}) {
  const now = useNow()
  const { onAdvance, hasTenant } = props
  return (
    <div class="clock">
      <div class="field">
        <span>Clock</span>
        <output class="figures">{exactTimeText(now)}</output>
      </div>
      <button type="button" onClick={() => onAdvance({ duration: 'PT1H' })}>
        + 1 h
      </button>
      <button type="button" onClick={() => onAdvance({ duration: 'P1D' })}>
        + 1 d
      </button>
      {hasTenant && (
        <button type="button" onClick={() => onAdvance({ to: 'next-decision' })}>
          Next decision
        </button>
      )}
    </div>
  )
}

function Setting(props: {
  readonly label: string
  readonly text: string
  readonly isSet: boolean
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

function LatencyDialog(props: {
  readonly latency: Settings['latency']
  readonly onClose: () => void
  readonly onSet: (latency: NonNullable<Settings['latency']>) => Promise<boolean>
}) {
  const { latency, onClose, onSet } = props
  const [min, setMin] = useState(String(latency?.min_ms ?? 0))
  const [max, setMax] = useState(String(latency?.max_ms ?? 0))
  const [p50, setP50] = useState(String(latency?.p50_ms ?? ''))
  const [p99, setP99] = useState(String(latency?.p99_ms ?? ''))
  const isSpread = p50 !== '' || p99 !== ''
  const spread = isSpread ? { p50_ms: Number(p50), p99_ms: Number(p99) } : {}
  return (
    <Dialog
      title="Latency"
      action="Set"
      onClose={onClose}
      onSubmit={() => onSet({ min_ms: Number(min), max_ms: Number(max), ...spread })}
    >
      <p>Each answer to a call with a key waits for a random time in this range.</p>
      <div class="fields">
        <Field label="From, in ms" type="number" min={0} max={60_000} value={min} onInput={setMin} />
        <Field label="To, in ms" type="number" min={0} max={60_000} value={max} onInput={setMax} />
      </div>
      <p>With a median and a 99th percentile in the range, most answers are quick and few are slow.</p>
      <div class="fields">
        <Field label="Median, in ms" {...milliseconds} isRequired={isSpread} value={p50} onInput={setP50} />
        <Field label="99th percentile, in ms" {...milliseconds} isRequired={isSpread} value={p99} onInput={setP99} />
      </div>
    </Dialog>
  )
}

const milliseconds = { type: 'number', min: 0, max: 60_000, step: 'any' } as const

function RateLimitDialog(props: {
  readonly rate: number
  readonly onClose: () => void
  readonly onSet: (rate: number) => Promise<boolean>
}) {
  const [rate, setRate] = useState(String(props.rate))
  return (
    <Dialog title="Rate limit" action="Set" onClose={props.onClose} onSubmit={() => props.onSet(Number(rate))}>
      <p>A tenant that sends more calls in a second is answered 429 with Retry-After. 0 is no limit.</p>
      <div class="fields">
        <Field label="Calls per second" type="number" min={0} step="any" value={rate} onInput={setRate} />
      </div>
    </Dialog>
  )
}
