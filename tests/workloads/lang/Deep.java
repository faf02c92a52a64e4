// SPDX-License-Identifier: GPL-2.0-or-later

/** Recurses, works and sleeps, until it is told to stop. */
public class Deep {
	static long burnJava(int n) {
		long s = 0;
		for (int i = 0; i < n; i++)
			s += (long) Math.sqrt(i) * i % 7;
		return s;
	}

	static long deepJava(int depth) {
		return depth == 0 ? burnJava(50000) : deepJava(depth - 1) + 1;
	}

	public static void main(String[] args) throws InterruptedException {
		for (;;) {
			for (int i = 0; i < 20; i++)
				deepJava(30);
			Thread.sleep(1);
		}
	}
}
