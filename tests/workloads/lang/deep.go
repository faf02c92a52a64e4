// SPDX-License-Identifier: GPL-2.0-or-later

// Goroutines that recurse, work, sort, wait for a lock and sleep, until they are told to stop.
package main

import (
	"fmt"
	"sort"
	"sync"
	"time"
)

//go:noinline
func burnGo(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += i * i % 7
	}
	return s
}

//go:noinline
func deepGo(depth int) int {
	if depth == 0 {
		return burnGo(200000)
	}
	return deepGo(depth-1) + 1
}

func main() {
	var lock sync.Mutex
	total := 0
	for i := 0; i < 4; i++ {
		go func() {
			for {
				x := deepGo(40)
				a := []int{3, 1, 2}
				sort.Ints(a)
				lock.Lock()
				total += x + len(fmt.Sprint(a))
				lock.Unlock()
				time.Sleep(time.Millisecond)
			}
		}()
	}
	time.Sleep(time.Minute)
}
