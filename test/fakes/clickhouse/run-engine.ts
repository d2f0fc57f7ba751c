// ClickHouse in a process of its own, out of the library of the npm package `chdb`. The arguments
// are the library and then those of `clickhouse local`, whose last query waits for the end of the
// standard input. The main function blocks its thread: this one stays free for messages.

import { dlopen, getRawPointer, toBuffer } from 'node:ffi'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** Of `mprotect`: read, write and execute. */
const ALL_RIGHTS = 7
const JUMP_BYTES = 16

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv.slice(2) })
  worker.on('exit', (code) => process.exit(code))
  // Whoever started it is gone. Open connections would keep it for seconds.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.on('message', (message) => {
    if (message !== 'stop-renames') return
    stopRenames()
    process.send?.('renames-stopped')
  })
} else {
  runLocal(workerData as readonly string[])
}

function runLocal([library = '', ...args]: readonly string[]): void {
  const { functions } = dlopen(library, {
    query_stable: { arguments: ['int32', 'pointer'], return: 'pointer' },
  })
  const words = ['clickhouse', ...args].map((word) => Buffer.from(`${word}\0`))
  // Ends with a null, as C's `argv` does.
  const addresses = new BigUint64Array([...words.map((word) => getRawPointer(word)), 0n])
  functions.query_stable(words.length, getRawPointer(addresses))
}

/**
 * From here on, a thread that renames a file waits for ever: the first instructions of the C
 * library's `rename` become a jump to its `pause`. A part is renamed once it is written whole, so
 * an insert stops exactly between.
 */
function stopRenames(): void {
  const { functions } = dlopen('libc.so.6', {
    mprotect: { arguments: ['uint64', 'uint64', 'int32'], return: 'int32' },
    getpagesize: { arguments: [], return: 'int32' },
    rename: { arguments: ['pointer', 'pointer'], return: 'int32' },
    pause: { arguments: [], return: 'int32' },
  })
  const at = functions.rename.pointer
  const page = BigInt(functions.getpagesize())
  // Two of them, since the instructions may lie across a border.
  if (functions.mprotect(at - (at % page), 2n * page, ALL_RIGHTS) !== 0)
    throw new Error('The system does not let a process change its own instructions.')
  toBuffer(at, JUMP_BYTES, false).set(toJump(functions.pause.pointer))
}

function toJump(target: bigint): Buffer {
  const jump = Buffer.alloc(JUMP_BYTES)
  if (process.arch === 'arm64') {
    // ldr x16, 8 bytes on; br x16; the address.
    jump.writeUInt32LE(0x58000050, 0)
    jump.writeUInt32LE(0xd61f0200, 4)
    jump.writeBigUInt64LE(target, 8)
    return jump
  }
  // mov rax, the address; jmp rax.
  jump.writeUInt16LE(0xb848, 0)
  jump.writeBigUInt64LE(target, 2)
  jump.writeUInt16LE(0xe0ff, 10)
  return jump
}
