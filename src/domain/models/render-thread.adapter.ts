import { parentPort, workerData } from 'node:worker_threads'
import { render } from './interpret.ts'
import type { Rendering } from './rendering.ts'

/** A thread that renders one model and ends. */
parentPort!.postMessage(await render(workerData as Rendering))
