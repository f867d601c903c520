// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * functions - static, public and recursive functions, compiled with -finstrument-functions
 */
int deeper(int level);

static __attribute__((noinline)) int leaf(int value)
{
	return value + 1;
}

int deeper(int level)
{
	return level ? deeper(level - 1) + leaf(level) : 0;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += deeper(2);
	return sum != 15;
}
