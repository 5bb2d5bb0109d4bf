/** The thread of a command that is supervised. */
import { workerData } from 'node:worker_threads'
import { execute } from './execute'
import { beSupervised, type SupervisedCommand } from './supervise'

const command = workerData as SupervisedCommand
beSupervised(command)
await execute(command.argv)
