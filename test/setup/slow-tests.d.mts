export default class SlowTests {
  readonly lines: readonly string[];
  onTestResult(
    test: unknown,
    result: { testFilePath: string; testResults: readonly { fullName: string; duration: number }[] },
  ): void;
}
