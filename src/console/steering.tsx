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
  const { admin, live, route, attempt, say } = useShared()
  const { tenant } = route
  const [open, setOpen] = useState<Open | undefined>()
  const clock = useLive((state) => state.clock)
  const settings = useLive((state) => state.settings)
  const scenario = useLive((state) => state.scenario)
  const { value: scenarios } = useLoaded((signal) => admin.call('getScenarios', { signal }), ['scenarios'])
  const query = { tenant_id: tenant }
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
  const speed = String(clock?.speed ?? 1)
  const { approvers = 'auto' } = settings ?? {}
  const names = (scenarios?.scenarios ?? []).map(({ name }) => [name, name] as const)
  return (
    <section class="steering" aria-label="Steering">
      <ClockFace onAdvance={advance} hasTenant={tenant !== undefined} />
      <Choice
        label="Speed"
        value={speed}
        options={[...new Set([...speeds, speed])].map((one) => [one, speedNames[one] ?? `× ${one}`])}
        isSet={speed !== '1'}
        onChange={(value) => setSpeed(Number(value))}
      />
      <Choice
        label="Approvers"
        value={approvers}
        options={(['auto', 'instant', 'manual'] as const).map((one) => [one, one])}
        isSet={approvers !== 'auto'}
        onChange={(value) => set({ approvers: value })}
      />
      <Choice
        label={tenant === undefined ? 'Scenario' : 'Load scenario'}
        value={tenant === undefined ? scenario : ''}
        options={tenant === undefined ? names : [['', 'choose …'], ...names]}
        isSet={tenant === undefined && scenario !== 'empty' && scenario !== ''}
        onChange={(value) => value && setOpen({ load: value })}
      />
      <SettingButtons settings={settings} onOpen={setOpen} />
      {open && <OpenDialog {...{ open, set, scenarios, settings }} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

/** The dialog that is open; `load` names the scenario to load. */
type Open = 'latency' | 'faults' | 'rate' | 'reset' | { readonly load: string }

/** The buttons that show settings and open their dialogs. */
function SettingButtons(props: { readonly settings: Settings | undefined; readonly onOpen: (open: Open) => void }) {
  const { latency, faults = [], rate_limit: rate = 0 } = props.settings ?? {}
  const nextAnswers = useLive((state) => state.nextAnswers)
  const faultsText = [
    ...(faults.length > 0 ? [countText(faults.length, 'fault')] : []),
    ...(nextAnswers > 0 ? [countText(nextAnswers, 'answer')] : []),
  ].join(', ')
  const rows = [
    ['Latency', !latency || latency.max_ms === 0 ? '' : delayText(latency), 'latency'],
    ['Faults', faultsText, 'faults'],
    ['Rate limit', rate === 0 ? '' : `${rate} / s`, 'rate'],
  ] as const
  return (
    <>
      {rows.map(([label, text, open]) => (
        <Setting
          key={label}
          label={label}
          text={text || 'none'}
          isSet={text !== ''}
          onClick={() => props.onOpen(open)}
        />
      ))}
      <Setting label="State" text="Reset …" isSet={false} onClick={() => props.onOpen('reset')} />
    </>
  )
}

function OpenDialog(props: {
  readonly open: Open
  readonly settings: Settings | undefined
  readonly scenarios:
    | { readonly scenarios: readonly { readonly name: string; readonly description: string }[] }
    | undefined
  readonly set: (change: Settings) => Promise<boolean>
  readonly onClose: () => void
}) {
  const { open, settings, scenarios, set, onClose } = props
  const { admin, live, route, go, attempt } = useShared()
  const whom = route.tenant === undefined ? 'all tenants' : `tenant ${tenantName(route.tenant)}`
  const query = { tenant_id: route.tenant }
  const restart = (call: () => Promise<unknown>) => () =>
    attempt(async () => {
      await call()
      live.restart()
      go({ id: undefined, asOf: undefined }, 'replace')
    })
  if (open === 'latency') {
    return <LatencyDialog latency={settings?.latency} onClose={onClose} onSet={(latency) => set({ latency })} />
  }
  if (open === 'faults') {
    return <FaultsDialog faults={settings?.faults ?? []} onClose={onClose} onSet={(faults) => set({ faults })} />
  }
  if (open === 'rate') {
    const rate = settings?.rate_limit ?? 0
    return <RateLimitDialog rate={rate} onClose={onClose} onSet={(value) => set({ rate_limit: value })} />
  }
  const dialog =
    open === 'reset'
      ? {
          title: `Reset ${whom}?`,
          action: 'Reset',
          isDangerous: true,
          call: () => admin.call('resetWorlds', { query }),
        }
      : {
          title: `Load ${open.load} into ${whom}?`,
          action: 'Load',
          call: () => admin.call('loadScenario', { query, params: { scenario: open.load } }),
        }
  const { call, ...texts } = dialog
  return (
    <Dialog {...texts} onClose={onClose} onSubmit={restart(call)}>
      {open === 'reset' ? (
        <p>
          State, clock and settings return to those that the mock was started with. Nothing of the present state is
          kept.
        </p>
      ) : (
        <>
          <p>{scenarios?.scenarios.find(({ name }) => name === open.load)?.description}</p>
          <p>It replaces the whole state. Clock and settings stay as they are.</p>
        </>
      )}
    </Dialog>
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
