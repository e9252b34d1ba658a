import { asDocumented } from '../wire/deployment.ts'
import type { App, Incoming, Outgoing } from '../wire/exchange.ts'
import { routerOf } from '../wire/router.ts'
import type { AdminOptions } from './admin/admin.ts'
import { handleRequest, type Stages, withoutBody } from './handle-request.ts'
import { type ServiceOptions, serviceRoutes } from './service/service.ts'
import type { StorageOptions } from './storage/put-object.ts'
import { closedStorage, storageRoute } from './storage/storage.ts'

export interface AppOptions
  extends Omit<ServiceOptions, 'deployment'>,
    Pick<StorageOptions, 'storageHost'>,
    Omit<Stages, 'route' | 'admin'> {
  /** Serves the admin API if set. */
  readonly admin?: Omit<AdminOptions, 'deployment'>
}

/** Builds the service and its storage from the contract's table of calls. It answers whatever is thrown. */
export function createApp(options: AppOptions): App {
  const { part, like, passOn, answerError } = options
  const deployment = like ?? asDocumented
  const stages: Stages = {
    ...options,
    route: routerOf([
      ...(passOn?.routes ?? []),
      ...(part === 'storage' ? [] : serviceRoutes({ ...options, deployment })),
      ...(part === 'service' ? [] : [options.store ? closedStorage : storageRoute({ ...options, deployment })]),
    ]),
    admin: options.admin && adminOf({ ...options.admin, deployment }),
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
