/** The modules that a worker asks the page for when it needs them. */
import { type Comparing, startComparing } from './comparing'
import type { FromWorker, LaterModule } from './protocol'

export interface WorkerModules {
  /** The module that reads texts. */
  texts(): Promise<WebAssembly.Module>
  /** The functions of the module of comparisons. */
  comparing(): Promise<Comparing>
}

/** `arrived` takes a module that the page sent. */
export function createModules(post: (message: FromWorker) => void) {
  const receivers = new Map<LaterModule, (module: WebAssembly.Module) => void>()
  const requests = new Map<LaterModule, Promise<WebAssembly.Module>>()
  /** Several files may need a module at once, so the request is shared. */
  const request = (name: LaterModule): Promise<WebAssembly.Module> => {
    const open = requests.get(name)
    if (open) return open
    const module = new Promise<WebAssembly.Module>(resolve => receivers.set(name, resolve))
    requests.set(name, module)
    post({ type: 'moduleWanted', name })
    return module
  }
  const modules: WorkerModules = {
    texts: () => request('texts'),
    comparing: async () => startComparing(await request('comparing')),
  }
  return {
    modules,
    arrived: (name: LaterModule, module: WebAssembly.Module) => receivers.get(name)?.(module),
  }
}
