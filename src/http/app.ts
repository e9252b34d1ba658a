import type { AdminOptions } from './admin/admin.ts'
import { handleRequest, type Stages, withoutBody } from './handle-request.ts'
import { type ServiceOptions, serviceRoutes } from './service/service.ts'
import type { StorageOptions } from './storage/put-object.ts'
import { closedStorage, storageRoute } from './storage/storage.ts'
import type { App, Context, Endpoint, Incoming, Outgoing } from './wire/exchange.ts'
import { routerOf } from './wire/router.ts'

/** Answers calls that the mock leaves to another service. */
export interface PassOn {
  /** The calls that only the other service has. */
  readonly routes: readonly Endpoint[]
  /** Answers a call that has passed the key; undefined if it is left to the mock. */
  answer(context: Context): Promise<Outgoing> | undefined
}

export interface AppOptions
  extends Omit<ServiceOptions, 'tolerance' | 'delays' | 'further'>,
    Pick<StorageOptions, 'storageHost'>,
    Omit<Stages, 'route' | 'isOnlyStorage' | 'admin' | 'passOn'> {
  /** @default the mock answers all calls */
  readonly passOn?: PassOn
  /** Which calls the app answers: the service's, storage's, or both. */
  readonly part: 'service' | 'storage' | 'both'
  /** Serves the admin API if set. */
  readonly admin?: AdminOptions
}

/** Builds the service and its storage from the contract's table of calls. */
export function createApp(options: AppOptions): App {
  const { part, like, passOn, answerError } = options
  const storage = () =>
    options.store
      ? closedStorage
      : storageRoute({
          ...options,
          ...(like && { needsMd5: like.needsMd5, needsSha256: like.needsSha256, tolerance: like.storageTolerance }),
        })
  const stages: Stages = {
    ...options,
    route: routerOf([
      ...(passOn?.routes ?? []),
      ...(part === 'storage'
        ? []
        : serviceRoutes({
            ...options,
            ...(like && { tolerance: like.tolerance, delays: like.delays, further: like.further }),
          })),
      ...(part === 'service' ? [] : [storage()]),
    ]),
    isOnlyStorage: part === 'storage',
    admin: options.admin && adminOf({ ...options.admin, ...(like && { tolerance: like.tolerance }) }),
    passOn: passOn && ((context) => passOn.answer(context)),
  }
  return (request, actsFor) =>
    handleRequest(request, stages, actsFor).catch((error) => withoutBody(request.method, answerError(error, request)))
}

/** Loads the admin API with its first call: a mock in a browser hardly ever needs it. */
function adminOf(options: AdminOptions): (request: Incoming) => Promise<Outgoing> {
  let loading: Promise<(request: Incoming) => Promise<Outgoing>> | undefined
  return async (request) => {
    loading ??= import('./admin/admin.ts').then(({ adminApi }) => adminApi(options))
    return (await loading)(request)
  }
}
